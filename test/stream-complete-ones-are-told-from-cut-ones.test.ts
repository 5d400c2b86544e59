/** A stream that ends by closing its connection is complete when its last event was said, however its bytes were cut. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createEndWatch } from '../src/proxy/stream/terminators.ts';
import { SHAPES } from './fixtures/streams/shapes.ts';
import { inChunks } from './fixtures/streams/through.ts';

function isComplete(text: string, sizes: readonly number[] = [text.length]): boolean {
  const watch = createEndWatch();
  for (const chunk of inChunks(Buffer.from(text), sizes)) watch.push(chunk as Buffer);
  return watch.isComplete();
}

const LONG = 'x'.repeat(5000);
const CHAT = 'data: {"id":"c1","choices":[{"delta":{"content":"Hello"},"finish_reason":null}]}\n\n';

const COMPLETE = {
  'the mark': `${CHAT}data: [DONE]\n\n`,
  'the mark without a blank': `${CHAT}data:[DONE]\n\n`,
  'the mark without its empty line': `${CHAT}data: [DONE]`,
  'the mark under a name': 'event: done\ndata: [DONE]\n\n',
  'line ends of two characters': `${CHAT}data: [DONE]\n\n`.replaceAll('\n', '\r\n'),
  'line ends of one return': `${CHAT}data: [DONE]\n\n`.replaceAll('\n', '\r'),
  'frames behind the mark': `${CHAT}data: [DONE]\n\n: ${LONG}\n\n${CHAT}`,
  'an event with long data': `event: response.completed\ndata: {"response":{"text":"${LONG}"}}\n\n`,
  'a type at the beginning of long data': `data: {"type":"response.completed","response":{"text":"${LONG}"}}\n\n`,
  'a type behind its number': `data: {"sequence_number": 53, "type": "response.incomplete", "response": {"text": "${LONG}"}}\n\n`,
  'a type at the end of long data': `data: {"response":{"text":"${LONG}"},"sequence_number":5,"type":"response.failed"}\n\n`,
  'blanks before the last brace': 'data: {"type":"message_stop"          }\n\n',
  'no line end at all': 'data: {"type":"message_stop"}',
  'an error': `${CHAT}data: {"error":{"message":"Overloaded"}}\n\n`,
  'an error with its type': 'event: error\ndata: {"type": "error", "error": {"message": "Overloaded"}}\n\n',
};

const CUT = {
  nothing: '',
  'text alone': CHAT,
  'an event without an end': `${CHAT}event: content_block_stop\ndata: {"type":"content_block_stop","index":0}\n\n`,
  'a last event that is cut off': `event: response.completed\ndata: {"type":"response.completed","response":{"text":"${LONG}`,
  'an item that is complete':
    'data: {"type":"response.output_item.done","item":{"type":"message","status":"completed"}}\n\n',
  'a call that is complete': 'event: response.mcp_call.completed\ndata: {"type":"response.mcp_call.completed"}\n\n',
  'an error of an item': 'data: {"type":"response.output_item.done","item":{"type":"error","of":1}}\n\n',
  'an error in a result': 'data: {"type":"content_block_start","content_block":{"content":{"type":"error"}}}\n\n',
  'words of the model': CHAT.replace('Hello', 'data: [DONE] event: error message_stop response.completed'),
  'an example of the model': CHAT.replace('Hello', '\\ndata: [DONE]\\n\\n{\\"type\\":\\"message_stop\\"}\\n'),
  'a comment': `${CHAT}: data: [DONE]\n\n`,
  'a mark inside of a line': `data: see ${LONG}data: [DONE]\n\n`,
};

for (const [expected, streams] of [
  [true, COMPLETE],
  [false, CUT],
] as const) {
  for (const [what, text] of Object.entries(streams)) {
    test(`a stream with ${what} is ${expected ? 'complete' : 'cut off'}, whatever its chunks`, () => {
      assert.equal(isComplete(text), expected);
      assert.equal(isComplete(text, [1]), expected, 'a byte a chunk');
      fc.assert(
        fc.property(fc.array(fc.integer({ min: 1, max: 600 }), { minLength: 1, maxLength: 6 }), (sizes) => {
          assert.equal(isComplete(text, sizes), expected);
        }),
        { numRuns: 100 },
      );
    });
  }
}

test('the streams that providers publish are complete with their last event, and cut off without it', () => {
  // Only streams of the wires `openai` and `anthropic` are held to their last event.
  const others = new Set(['a shape that nobody published', 'gemini', 'mistral conversations']);
  const known = SHAPES.filter(({ kind, name }) => kind === 'sse' && !others.has(name));
  assert.ok(known.length > 10);
  for (const { name, frames } of known) {
    assert.ok(isComplete(frames.join('')), name);
    const isEnd = (frame: string): boolean => isComplete(frame);
    const before = frames.slice(0, frames.findIndex(isEnd));
    for (let count = 1; count <= before.length; count += 1)
      assert.ok(!isComplete(frames.slice(0, count).join('')), `${name}, ${count} frames`);
    assert.ok(frames.length - before.length <= 2, name);
  }
});
