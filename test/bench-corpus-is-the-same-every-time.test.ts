import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import {
  attackRequest,
  chatRequest,
  chatResponse,
  choicesIn,
  messagesIn,
  prose,
  sameButStamps,
  stamp,
  stampPlaces,
} from '../bench/corpus.ts';
import { randomNumbers } from '../train/random.ts';

test('a body has the size that was asked for, to the byte, and is valid JSON of that many turns', () => {
  for (const bytes of [400, 1024, 2048, 65_536, 1_000_003]) {
    for (const turns of [1, 3, 8]) {
      if (bytes === 400 && turns > 3) continue;
      const body = chatRequest(bytes, 7, turns);
      assert.equal(body.length, bytes);
      const { messages } = JSON.parse(body.toString()) as { messages: { role: string; content: string }[] };
      assert.equal(messages.length, turns + 1);
      assert.ok(messages.every(({ content }) => content.length > 0));
    }
  }
  assert.equal(chatResponse(1024).length, 1024);
  assert.equal(JSON.parse(chatResponse(1024).toString()).choices[0].message.role, 'assistant');
});

test('a size that cannot be met is refused instead of missed', () => {
  assert.throws(() => chatRequest(100), RangeError);
  assert.throws(() => chatResponse(10), RangeError);
});

test('the same seed gives the same bytes on every machine and another seed gives others', () => {
  assert.deepEqual(chatRequest(2048, 1), chatRequest(2048, 1));
  assert.notDeepEqual(chatRequest(2048, 1), chatRequest(2048, 2));
  const digest = createHash('sha256')
    .update(prose(4096, randomNumbers(42)))
    .digest('hex');
  assert.equal(digest, 'cc9814416ae611940856b52378b8dcda0214c1fa5686ac118f0d50cbeaa8cf44');
});

test('a stamp makes every call another one, of the same size, and nothing else is changed', () => {
  const body = chatRequest(2048);
  const places = stampPlaces(body);
  assert.equal(places.length, 3);
  const seen = new Set<string>();
  for (const number of [0, 1, 25, 26, 675, 676, 1_000_000]) {
    const stamped = Buffer.from(body);
    stamp(stamped, places, number);
    seen.add(stamped.toString());
    assert.ok(sameButStamps(stamped, body, places));
    assert.equal(JSON.parse(stamped.toString()).messages.length, 4);
  }
  assert.equal(seen.size, 7);
});

test('a byte that is altered outside a stamp is noticed, wherever it is', () => {
  const body = chatRequest(600);
  const places = stampPlaces(body);
  const inStamp = (at: number): boolean => places.some((place) => at >= place && at < place + 8);
  for (let at = 0; at < body.length; at += 1) {
    const altered = Buffer.from(body);
    altered[at]! ^= 1;
    assert.equal(sameButStamps(altered, body, places), inStamp(at), `byte ${at}`);
  }
  assert.equal(sameButStamps(body.subarray(1), body, places), false);
});

test('the attack that proves a scanning contestant says what every edition of the rules must find', () => {
  assert.match(attackRequest().toString(), /ignore all previous instructions/i);
});

test('what a body says is found in it, also when a gateway has put it between other things', () => {
  const body = chatRequest(600);
  const { messages, model } = JSON.parse(body.toString()) as { messages: unknown; model: string };
  const rewritten = Buffer.from(JSON.stringify({ stream: false, messages, model }));
  assert.deepEqual(messagesIn(rewritten), messagesIn(body));
  assert.deepEqual(JSON.parse(`{${messagesIn(body)!.toString()}}`), { messages });
  const answer = JSON.parse(chatResponse(600).toString()) as object;
  const added = Buffer.from(JSON.stringify({ ...answer, hook_results: [{ choices: 1 }] }));
  assert.deepEqual(choicesIn(added), choicesIn(chatResponse(600)));
  assert.equal(messagesIn(Buffer.from('{"messages":[')), null);
  assert.equal(choicesIn(Buffer.from('{}')), null);
});
