/**
 * A minimal HTTP/1.1 parser for both ends of the benchmark. With node:http at both ends, they would cost more than
 * the proxies between them and hide their differences on a machine with two cores. It only supports what the
 * benchmarks send, which is a Content-Length and no chunks. Anything else is an error.
 */

export interface Message {
  readonly head: Buffer;
  readonly body: Buffer;
}

export type Feed = (chunk: Buffer) => void;

const LENGTH = /\r\ncontent-length: *(\d+)\r\n/i;
const CODING = /\r\ntransfer-encoding:/i;
const MAX_HEAD = 65_536;

/**
 * Returns a function that takes chunks and calls `message` for every complete message. It throws on unsupported
 * input.
 */
export function readMessages(message: (message: Message) => void): Feed {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let want = 0;
  return (chunk) => {
    held.push(chunk);
    heldBytes += chunk.length;
    // A head is parsed once and not again for every further chunk of its body, and the chunks are not joined each
    // time: a body of several megabytes would be copied hundreds of times.
    if (heldBytes < want) return;
    let bytes: Buffer = held.length === 1 ? chunk : Buffer.concat(held, heldBytes);
    while (bytes.length > 0) {
      const end = bytes.indexOf('\r\n\r\n');
      if (end === -1) {
        if (bytes.length > MAX_HEAD) throw new Error('a head without an end');
        break;
      }
      const head = bytes.subarray(0, end + 4);
      const text = head.toString('latin1');
      if (CODING.test(text)) throw new Error('a body without a length');
      const length = LENGTH.exec(text);
      want = end + 4 + (length === null ? 0 : Number(length[1]));
      if (bytes.length < want) break;
      message({ head, body: bytes.subarray(end + 4, want) });
      bytes = bytes.subarray(want);
      want = 0;
    }
    held = bytes.length > 0 ? [bytes] : [];
    heldBytes = bytes.length;
  };
}

export function statusOf(head: Buffer): number {
  return Number(head.toString('latin1', 9, 12));
}
