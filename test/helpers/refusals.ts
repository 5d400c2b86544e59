import assert from 'node:assert/strict';
import type { Answered } from './raw-client.ts';

/** What every error of ours must look like, whoever produced it and however early. */
export function assertRefusal(answer: Answered | undefined, status: number, type: string, note = ''): void {
  assert.ok(answer, `${note} got no answer`);
  const text = answer.body.toString();
  assert.equal(answer.status, status, `${note} ${text}`);
  assert.deepEqual(answer.values('content-type'), ['application/json'], note);
  assert.deepEqual(answer.values('content-length'), [String(answer.body.length)], note);
  assert.equal(answer.values('x-request-id').length, 1, `${note} has one X-Request-ID`);
  assert.notEqual(answer.value('x-request-id'), '', note);
  const envelope = JSON.parse(text) as { error: Record<string, unknown> };
  assert.deepEqual(Object.keys(envelope), ['error'], note);
  const { type: said, message, code, ...more } = envelope.error;
  assert.equal(said, type, note);
  assert.equal(typeof message, 'string', note);
  assert.notEqual(message, '', note);
  assert.deepEqual(more, {}, `${note} says nothing else`);
  const coded = type === 'content_blocked' || type === 'response_blocked';
  assert.equal(typeof code, coded ? 'string' : 'undefined', note);
}

/** The same inside a stream: the exact bytes, spelled out here and not asked of the code that writes them. */
export function inBand(kind: 'sse' | 'ndjson', type: string, message: string): string {
  if (kind === 'ndjson') return `{"error":"${message}","type":"${type}","code":"${type}"}\n`;
  const nested = `{"type":"${type}","code":"${type}","message":"${message}"}`;
  const flat = `"type":"error","sequence_number":0,"code":"${type}","message":"${message}","param":null`;
  return `event: error\ndata: {${flat},"error":${nested}}\n\n`;
}
