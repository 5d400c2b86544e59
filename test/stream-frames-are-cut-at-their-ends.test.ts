import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createFramer } from '../src/proxy/stream/frames.ts';
import { atBoundary, errorFrame } from '../src/proxy/stream/in-band.ts';
import { createMessageFramer } from '../src/proxy/stream/message-frames.ts';
import { responseBlocked } from '../src/domain/refusal.ts';

function cut(kind: 'sse' | 'ndjson', chunks: readonly Buffer[]): { frames: string[]; rest: string } {
  const framer = createFramer(kind);
  const frames = chunks.flatMap((chunk) => framer.push(chunk)).map((frame) => frame.toString('latin1'));
  return { frames, rest: framer.incompleteFrame().toString('latin1') };
}

function chunked(text: string, cuts: readonly number[]): Buffer[] {
  const bytes = Buffer.from(text, 'latin1');
  const at = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...at].map((from, i) => bytes.subarray(from, at[i] ?? bytes.length));
}

test('an event ends at its empty line, whatever ends its lines', () => {
  for (const eol of ['\n', '\r\n', '\r']) {
    const event = `event: x${eol}data: 1${eol}${eol}`;
    assert.deepEqual(cut('sse', [Buffer.from(event + event)]).frames, [event, event]);
  }
});

test('a line of NDJSON is a frame', () => {
  assert.deepEqual(cut('ndjson', [Buffer.from('{"a":1}\n{"b":2}\n{"c"')]), {
    frames: ['{"a":1}\n', '{"b":2}\n'],
    rest: '{"c"',
  });
});

test('a line of NDJSON ends at its line feed, also behind a carriage return and when the two come in different chunks', () => {
  const lines = ['{"a":1}\r\n', '{"b":2}\r\n'];
  const text = lines.join('');
  assert.deepEqual(cut('ndjson', [Buffer.from(text)]), { frames: lines, rest: '' });
  for (let at = 1; at < text.length; at += 1) assert.deepEqual(cut('ndjson', chunked(text, [at])).frames, lines);
  assert.deepEqual(cut('ndjson', [Buffer.from('{"a":"\r"}\n\r\n{"b":2}')]), {
    frames: ['{"a":"\r"}\n', '\r\n'],
    rest: '{"b":2}',
  });
});

const sseText = fc
  .array(fc.constantFrom('data: a', 'event: b', ': ping', 'x', '\n', '\r\n', '\r', '\n\n', '\r\n\r\n', '\u00e9'), {
    maxLength: 40,
  })
  .map((parts) => parts.join(''));

test('however a stream is chunked, its frames put together are the stream', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('sse' as const, 'ndjson' as const),
      sseText,
      fc.array(fc.nat(200)),
      (kind, text, cuts) => {
        const { frames, rest } = cut(kind, chunked(text, cuts));
        assert.equal(frames.join('') + rest, text);
      },
    ),
    { numRuns: 500 },
  );
});

test('chunking moves no boundary, but for a line feed that came after its carriage return', () => {
  fc.assert(
    fc.property(
      sseText.map((text) => text.replaceAll('\r', '')),
      fc.array(fc.nat(200)),
      (text, cuts) => {
        assert.deepEqual(cut('sse', chunked(text, cuts)), cut('sse', [Buffer.from(text, 'latin1')]));
      },
    ),
    { numRuns: 500 },
  );
});

test('a long stream in single bytes is cut in linear time', () => {
  const framer = createFramer('sse');
  const event = Buffer.from(`data: ${'x'.repeat(200)}\n\n`);
  const startedAt = performance.now();
  let frames = 0;
  for (let i = 0; i < 500; i += 1) for (const byte of event) frames += framer.push(Buffer.from([byte])).length;
  assert.equal(frames, 500);
  assert.ok(performance.now() - startedAt < 3000);
});

test('a frame of megabytes in small chunks is cut in linear time, in either kind of stream', () => {
  const text = Buffer.from(`data: ${'x'.repeat(8_000_000)}\n\ndata: next\n\n`);
  const message = Buffer.alloc(8_000_000, 'x');
  message.writeUInt32BE(message.length, 0);
  message.writeUInt32BE(0, 4);
  for (const [framer, bytes, whole] of [
    [createFramer('sse'), text, text.length - 'data: next\n\n'.length],
    [createMessageFramer(), message, message.length],
  ] as const) {
    const startedAt = performance.now();
    const frames: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += 1400) frames.push(...framer.push(bytes.subarray(at, at + 1400)));
    assert.equal(frames[0]!.length, whole);
    assert.ok(Buffer.concat(frames).equals(bytes));
    assert.equal(framer.pendingBytes(), 0);
    assert.ok(performance.now() - startedAt < 2000, 'joining all that is pending with each chunk takes ten seconds');
  }
});

test('what was cut out stays as it was while more arrives', () => {
  const framer = createFramer('sse');
  const long = `data: ${'a'.repeat(100_000)}`;
  framer.push(Buffer.from(long.slice(0, 70_000)));
  const [first] = framer.push(Buffer.from(`${long.slice(70_000)}\n\ndata: b`));
  framer.push(Buffer.from('c'));
  const [second] = framer.push(Buffer.from('d\n\n'));
  assert.equal(first!.toString(), `${long}\n\n`);
  assert.equal(second!.toString(), 'data: bcd\n\n');
});

test('our own frame may follow only where a frame has ended', () => {
  assert.equal(atBoundary('sse', Buffer.from('data: 1\n\n')), true);
  assert.equal(atBoundary('sse', Buffer.from('1\r\n\r\n')), true);
  assert.equal(atBoundary('sse', Buffer.from('data: 1\n')), false);
  assert.equal(atBoundary('sse', Buffer.from('data: 1')), false);
  assert.equal(atBoundary('sse', Buffer.from('')), true);
  assert.equal(atBoundary('ndjson', Buffer.from('{}\n')), true);
  assert.equal(atBoundary('ndjson', Buffer.from('{}')), false);
});

test('the frame of a block is flat and nested at once, and complete', () => {
  const frame = errorFrame('sse', responseBlocked());
  assert.match(frame, /^event: error\ndata: .*\n\n$/);
  const data = JSON.parse(/data: (.*)/.exec(frame)![1]!) as Record<string, unknown>;
  assert.equal(data['type'], 'error');
  assert.equal(data['message'], 'Response blocked: sensitive content detected');
  assert.deepEqual(data['error'], {
    type: 'response_blocked',
    code: 'sensitive_data_detected',
    message: 'Response blocked: sensitive content detected',
  });
  assert.equal(
    errorFrame('ndjson', responseBlocked()),
    '{"error":"Response blocked: sensitive content detected","type":"response_blocked","code":"sensitive_data_detected"}\n',
  );
});
