/**
 * A text that is split over events is joined by the choice or block that it belongs to, whichever others stand in the same
 * event, and wherever it stands among them.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inChunks, passThrough, SECRET } from './fixtures/streams/through.ts';
import { extract } from '../src/wire/index.ts';
import { channelNames } from '../src/wire/channel-names.ts';

const CHAT = '/v1/chat/completions';
const MESSAGES = '/v1/messages';
const DONE = 'data: [DONE]\n\n';
const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const pieces = SECRET.match(/.{1,3}/g)!;

const other = { index: 0, delta: { content: 'and so on ' } };
const own = (content: string) => ({ index: 1, delta: { content } });
const ownBehind = (content: string) => ({ delta: { content }, index: 1 });
const tool = (index: number, args: string) => ({ index, function: { arguments: args } });
const tools = (...calls: unknown[]) => ({ choices: [{ index: 0, delta: { tool_calls: calls } }] });

const STREAMS: Readonly<Record<string, { readonly path: string; readonly frames: readonly string[] }>> = {
  'one choice, then two in an event': {
    path: CHAT,
    frames: pieces.map((piece, n) => data({ choices: n % 2 === 0 ? [own(piece)] : [other, own(piece)] })),
  },
  'two choices that change places': {
    path: CHAT,
    frames: pieces.map((piece, n) => data({ choices: n % 2 === 0 ? [own(piece), other] : [other, own(piece)] })),
  },
  'two choices whose index comes last': {
    path: CHAT,
    frames: pieces.map((piece, n) => data({ choices: n % 2 === 0 ? [ownBehind(piece)] : [other, ownBehind(piece)] })),
  },
  'calls of tools that begin in one event and go on in their own': {
    path: CHAT,
    frames: [
      data(tools(tool(0, '{"city":"'), tool(1, `{"key":"${pieces[0]!}`))),
      ...pieces.slice(1).flatMap((piece) => [data(tools(tool(0, 'Ber gen '))), data(tools(tool(1, piece)))]),
    ],
  },
  'an index with a tab before it, in every other event': {
    path: CHAT,
    frames: pieces.map((piece, n) => {
      const event = data({ choices: [own(piece)] });
      return n % 2 === 0 ? event : event.replace('"index":', '"index":\t');
    }),
  },
  'an index of 0 in the first event only': {
    path: CHAT,
    frames: pieces.map((content, n) =>
      data({ choices: [n === 0 ? { index: 0, delta: { content } } : { delta: { content } }] }),
    ),
  },
  'pieces that are counted': {
    path: CHAT,
    frames: pieces.map((content, n) => data({ chunk_index: n, choices: [{ index: 0, delta: { content } }] })),
  },
  'a citation in each event, which says where in the text it stands': {
    path: CHAT,
    frames: pieces.map((content, n) =>
      data({
        choices: [{ index: 0, delta: { content, annotations: [{ index: n, start_index: n, end_index: n + 3 }] } }],
      }),
    ),
  },
  'an answer of Gemini that begins behind thoughts': {
    path: '/v1beta/models/gemini-2.5-pro:streamGenerateContent',
    frames: pieces.map((text, n) =>
      data({
        candidates: [{ content: { parts: [...(n === 0 ? [{ thought: true, text: 'Let me see.' }] : []), { text }] } }],
      }),
    ),
  },
  'thoughts of Gemini that end in the event in which the answer begins': {
    path: '/v1beta/models/gemini-2.5-pro:streamGenerateContent',
    frames: [
      ...pieces
        .slice(0, 2)
        .map((text) => data({ candidates: [{ index: 0, content: { parts: [{ thought: true, text }] } }] })),
      ...pieces
        .slice(2)
        .map((text) =>
          data({ candidates: [{ index: 0, content: { parts: [{ text: 'and so ' }, { thought: true, text }] } }] }),
        ),
    ],
  },
  'tokens that are numbered': {
    path: '/generate_stream',
    frames: pieces.map((text, n) =>
      data({
        index: n + 1,
        token: { id: 200 + n, text, logprob: -0.5, special: false },
        generated_text: null,
        details: null,
      }),
    ),
  },
  'a chat of watsonx': {
    path: '/ml/v1/text/chat_stream',
    frames: pieces.map((content) => `id: 1\nevent: message\n${data({ choices: [{ index: 0, delta: { content } }] })}`),
  },
  'generation of watsonx': {
    path: '/ml/v1/deployments/d/text/generation_stream',
    frames: pieces.map((text) => data({ results: [{ generated_text: text, stop_reason: 'not_finished' }] })),
  },
  'tokens without numbers': {
    path: '/generate_stream',
    frames: pieces.map((text, n) => data({ token: { id: 200 + n, text, special: false }, generated_text: null })),
  },
  'a block that begins with text': {
    path: MESSAGES,
    frames: [
      data({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: SECRET.slice(0, 9) } }),
      data({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: SECRET.slice(9) } }),
    ],
  },
  'a byte order mark before the first event': {
    path: CHAT,
    frames: [`\ufeff${data({ choices: [own(SECRET.slice(0, 9))] })}`, data({ choices: [own(SECRET.slice(9))] })],
  },
};

for (const [name, { path, frames }] of Object.entries(STREAMS)) {
  const body = Buffer.from([...frames, DONE].join(''));

  test(`${name}: a secret in it is not delivered`, async () => {
    for (const mode of ['buffered', 'full'] as const) {
      const passed = await passThrough(inChunks(body, [100], 0), { kind: 'sse', mode, path });
      assert.ok(passed.blocked, mode);
      assert.deepEqual(passed.findings, ['aws-access-key-id'], mode);
    }
  });

  test(`${name}: a secret in it is masked where it stands`, async () => {
    const passed = await passThrough(inChunks(body, [100], 0), { kind: 'sse', mode: 'buffered', path, mask: true });
    assert.ok(!passed.blocked);
    assert.ok(passed.body.includes('[REDACTED:aws-access-key]'));
    for (const piece of pieces.slice(2)) assert.ok(!passed.body.includes(piece), piece);
  });

  test(`${name}: the same as a whole body is read as one text`, () => {
    const job = { bytes: body, wire: 'auto', direction: 'response', path, contentEncoding: '' } as const;
    const extraction = extract({ ...job, contentType: 'text/event-stream' });
    assert.ok(extraction.kind === 'text' && extraction.passages.some(({ text }) => text.includes(SECRET)));
  });
}

test('choices keep apart what does not belong together', () => {
  const both = JSON.stringify(tools(tool(0, 'a'), tool(1, 'b')));
  const names = channelNames(both);
  const place = (n: number): string => `choices[0].delta.tool_calls[${n}].function.arguments`;
  assert.notEqual(names(place(0)).name, names(place(1)).name);
  for (const n of [0, 1]) {
    const alone = channelNames(JSON.stringify(tools(tool(n, 'c'))));
    assert.deepEqual(names(place(n)), alone(place(0)));
  }
});

test('blocks of Bedrock are told apart, and the place of a citation of Gemini is no block', () => {
  const nameOf = (event: object, where: string): string => channelNames(JSON.stringify(event))(where).name;
  const block = (contentBlockIndex: number): string =>
    nameOf({ contentBlockIndex, delta: { toolUse: { input: 'a' } } }, 'delta.toolUse.input');
  assert.notEqual(block(0), block(1));
  assert.equal(block(1), block(1));
  const cited = (startIndex: number): string =>
    nameOf({ candidates: [{ text: 'a', citationMetadata: { citations: [{ startIndex }] } }] }, 'candidates[0].text');
  assert.equal(cited(7), cited(9));
});

test('a choice keeps its name in an event in which one tool call stands beside its content', () => {
  const alone = channelNames(JSON.stringify({ choices: [{ index: 0, delta: { content: 'a' } }] }));
  const beside = channelNames(
    JSON.stringify({
      choices: [{ index: 0, delta: { content: 'b', tool_calls: [{ index: 0, function: { arguments: 'c' } }] } }],
    }),
  );
  assert.deepEqual(beside('choices[0].delta.content'), alone('choices[0].delta.content'));
});

test('an event of very many choices is named in time that grows with its length only', () => {
  const timeOf = (count: number): number => {
    const choices = Array.from({ length: count }, (_, index) => ({ index, delta: { content: 'x' } }));
    const event = JSON.stringify({
      choices,
      ...Object.fromEntries(choices.map(({ index }) => [`k${index}_index`, index])),
    });
    const startedAt = performance.now();
    const nameOf = channelNames(event);
    for (let at = 0; at < count; at += 1) {
      nameOf(`choices[${at}].delta.content`);
      nameOf('(event)');
    }
    return performance.now() - startedAt;
  };
  timeOf(1000);
  const small = Math.min(timeOf(2000), timeOf(2000), timeOf(2000));
  assert.ok(timeOf(20_000) < 40 * small + 50);
});
