/** A step reads little of what was said before it, and nothing is overlooked for that. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ruleset } from '../src/detect/ruleset.ts';
import { scanStream } from '../src/detect/stream/stream.ts';
import { FRESH_STREAM, type StreamState } from '../src/domain/stream.ts';
import { parseSignatures } from '../src/signatures/load.ts';
import { DECODERS } from '../src/text/decoders/index.ts';
import { WIRES_OF } from './fixtures/streams/shapes.ts';
import { passThrough, prose, rules } from './fixtures/streams/through.ts';
import { compileAsBuilt } from './helpers/compile-as-built.ts';

const CHAT = WIRES_OF[0]!;

function foundIn(
  ruleset: Ruleset,
  text: string,
  perStep: number,
): { found: Set<string>; longest: number; state: StreamState } {
  const found = new Set<string>();
  let state: StreamState = FRESH_STREAM;
  let longest = 0;
  const frames = (text.match(/[^]{1,6}/g) ?? []).map((piece) => Buffer.from(CHAT.piece(piece)));
  for (let at = 0; at < frames.length; at += perStep) {
    const mine = frames.slice(at, at + perStep);
    let end = 0;
    const outcome = scanStream(
      ruleset,
      {
        path: CHAT.path,
        kind: CHAT.kind,
        bytes: Buffer.concat(mine),
        ends: mine.map((frame) => (end += frame.length)),
        last: at + perStep >= frames.length,
        state,
        maskFrom: null,
        maskedSignatures: [],
        forbidden: null,
      },
      () => false,
    );
    assert.equal(outcome.kind, 'step');
    if (outcome.kind !== 'step') continue;
    state = structuredClone(outcome.state);
    longest = Math.max(longest, ...state.channels.map((channel) => channel.text.length));
    for (const { signature } of outcome.findings) found.add(signature);
  }
  return { found, longest, state };
}

function rulesOf(rule: string): Ruleset {
  const source = `category: jailbreak
signatures:
  - id: mine
    name: Mine
    confidence: 0.9
    why: A rule whose words stand far apart.
${rule}
    matches: ['zebra walnut quince', 'Zebra walnut quince.', 'a zebra walnut quince']
    ignores: ['zebra', 'quince']
`;
  const { signatures, problems } = parseSignatures(source, 'mine.yaml');
  assert.deepEqual(problems, []);
  const compiled = compileAsBuilt(signatures, DECODERS);
  assert.ok('ruleset' in compiled);
  return compiled.ruleset;
}

test('words that may stand anywhere are seen together as far as anything is remembered', () => {
  const ruleset = rulesOf(`    all: ['zebra', 'quince']`);
  for (const perStep of [1, 7, 40]) {
    const text = `${prose(3000)} zebra ${prose(1900)} quince ${prose(100)}`;
    assert.ok(foundIn(ruleset, text, perStep).found.has('mine'), `${perStep}`);
  }
});

test('words of a rule that reaches further than ours are seen together', () => {
  const ruleset = rulesOf(`    near: ['zebra', 'walnut', 'quince']\n    within: 400`);
  for (const apart of [10, 250, 380]) {
    const text = `${prose(3000)} zebra ${prose(apart)} walnut ${prose(apart)} quince ${prose(30)}`;
    // Before the survey that the end of a stream is.
    assert.ok(foundIn(ruleset, text, 3).found.has('mine'), `${apart}`);
  }
});

test('a number is no other for being read from its middle on', () => {
  const numbers = ['7777 4111 1111 1111 1111', '99994111111111111111', 'X4111-1111-1111-1111'];
  const honest = `${prose(400)} `.repeat(2);
  for (let offset = 0; offset < 60; offset += 19) {
    const text = numbers.map((number) => `${honest.slice(offset)}${number} ${prose(900)} `).join('');
    const whole = foundIn(rules(), text, 100_000).found;
    assert.deepEqual([...foundIn(rules(), text, 2).found].sort(), [...whole].sort(), `${offset}`);
  }
});

test('what is remembered of a channel stays bounded', () => {
  for (const perStep of [1, 16, 100]) {
    const { longest, state } = foundIn(rules(), prose(40_000), perStep);
    assert.ok(longest < 2048 + 1024 + 700, `${longest}`);
    assert.equal(state.channels.length, 1);
  }
});

test('a value under a disguise that takes more room than a step looks back is not delivered whole', async () => {
  const canary = 'seven herons wait at the harbour wall';
  const spelled = [...canary].map((char) => `&#x${char.charCodeAt(0).toString(16)};`);
  // So thinly spread that only what is far behind tells what it is.
  const hidden = [
    ...Buffer.from(canary.repeat(4))
      .toString('base64')
      .match(/.{1,24}/g)!,
  ].join('\n');
  for (const disguised of [spelled.join(''), hidden, Buffer.from(canary.repeat(6)).toString('hex')]) {
    const said = `${prose(2600)} here: ${disguised} and ${prose(300)}`;
    const frames = said.match(/[^]{1,5}/g)!.map(CHAT.piece);
    const passed = await passThrough(
      frames.flatMap((frame, at) => (at % 9 === 0 ? [Buffer.from(frame), 0] : [Buffer.from(frame)])),
      { ...CHAT, mode: 'buffered', forbidden: { canaries: [canary], secrets: [] } },
    );
    assert.ok(passed.blocked, disguised);
    assert.ok(!passed.body.includes(CHAT.piece(disguised.slice(-5))), disguised);
  }
});
