/** The events of the stream benchmark: chat chunks of a word or two as raw bytes, each an HTTP chunk of its own. */
import { prose } from './corpus.ts';
import { randomNumbers } from '../train/random.ts';

function chunked(text: string): Buffer {
  return Buffer.from(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);
}

/** An event in the format of the hosted chat API, with ids and fingerprint. */
function eventOf(content: string): string {
  const data = {
    id: 'chatcmpl-bench000000000000000000000',
    object: 'chat.completion.chunk',
    created: 1700000000,
    model: 'gpt-4o-mini',
    system_fingerprint: 'fp_bench00000',
    choices: [{ index: 0, delta: { content }, logprobs: null, finish_reason: null }],
  };
  return `data: ${JSON.stringify(data)}\n\n`;
}

export function eventsOf(count: number): readonly Buffer[] {
  const words = prose(count * 8, randomNumbers(5)).match(/\s*\S+/g) ?? [];
  return Array.from({ length: count }, (_, at) => chunked(eventOf(words[at % words.length]!)));
}

/** A made-up secret in the format of a real one. A scanning contestant must not let this stream end normally. */
export const LEAK = chunked(eventOf(`The key is ${['AKIA', 'Z3MGQ5WUV7XN2KDL'].join('')} and that is all. `));

export const STREAM_HEAD = Buffer.from(
  'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\nx-request-id: req_bench\r\n\r\n',
);

export const DONE = Buffer.concat([chunked('data: [DONE]\n\n'), Buffer.from('0\r\n\r\n')]);
