/** Digits of sound and the names of events hold no words, so they neither cost a scan nor hold what stands beside them. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { extract } from '../src/wire/index.ts';
import { piecesOf } from '../src/wire/pieces.ts';

const digits = randomBytes(12_000).toString('base64');
/** Names of keys aside. */
const textsOf = (path: string, ...events: readonly object[]): string[] =>
  events
    .flatMap((event) => piecesOf(`data: ${JSON.stringify(event)}\n\n`, { kind: 'sse', path }))
    .filter(({ kind }) => kind === 'text')
    .map(({ text }) => text);
const passagesOf = (path: string, contentType: string, body: string): string[] => {
  const job = { bytes: Buffer.from(body), wire: 'auto', direction: 'response', path, contentEncoding: '' } as const;
  const extraction = extract({ ...job, contentType });
  assert.equal(extraction.kind, 'text');
  return extraction.kind !== 'text'
    ? []
    : extraction.passages.filter(({ where }) => where !== '(small strings)').map(({ text }) => text);
};

test('of the sound of a chat only what is said in it is read', () => {
  const audio = { id: 'audio_1', data: digits, expires_at: 1 };
  const path = '/v1/chat/completions';
  assert.deepEqual(textsOf(path, { choices: [{ index: 0, delta: { audio } }] }), []);
  const transcript = 'these are the words of the model';
  assert.deepEqual(textsOf(path, { choices: [{ index: 0, delta: { audio: { transcript } } }] }), [transcript]);
  const whole = { choices: [{ index: 0, message: { content: null, audio: { ...audio, transcript } } }] };
  assert.deepEqual(passagesOf(path, 'application/json', JSON.stringify(whole)), [transcript]);
});

test('events of sound are passed over, and those of what is said are not', () => {
  for (const type of ['response.audio.delta', 'response.output_audio.delta']) {
    const event = { type, sequence_number: 3, delta: digits };
    assert.deepEqual(textsOf('/v1/responses', event), []);
    assert.deepEqual(passagesOf('/v1/responses', 'text/event-stream', `data: ${JSON.stringify(event)}\n\n`), []);
  }
  const delta = 'these are the words of the model';
  for (const type of ['response.audio.transcript.delta', 'response.output_text.delta'])
    assert.deepEqual(textsOf('/v1/responses', { type, delta }), [delta]);
});

test('a model that writes the name of such an event is read', () => {
  const args = { type: 'response.audio.delta', note: 'these are the words of the model, and more of them' };
  const event = { candidates: [{ content: { parts: [{ functionCall: { name: 'say', args } }] } }] };
  assert.ok(textsOf('/v1beta/models/g:streamGenerateContent', event).includes(args.note));
});

test('the name of an event is no text that goes on in the next one', () => {
  const event = { type: 'response.code_interpreter_call_code.delta', output_index: 0, item_id: 'ci_1', delta: 'x = 1' };
  assert.deepEqual(textsOf('/v1/responses', event), ['x = 1']);
});
