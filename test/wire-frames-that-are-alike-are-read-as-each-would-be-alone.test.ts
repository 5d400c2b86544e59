/** Reading a frame by comparing it with the one before it is only speed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createPieceReader } from '../src/wire/frame-templates.ts';
import { piecesOf, type Framing } from '../src/wire/pieces.ts';

const CHAT = { kind: 'sse', path: '/v1/chat/completions' } as const satisfies Framing;
const MESSAGES = { kind: 'sse', path: '/v1/messages' } as const satisfies Framing;
const OLLAMA = { kind: 'ndjson', path: '/api/chat' } as const satisfies Framing;

/** Another length and another word for each text, and for some none at all. */
function noise(text: string): string {
  return 'q8ZkP2xY'.slice(text.length % 3, text.length % 9);
}

/** What a text may stand in: a place that is read, one that says who speaks, one that is silent, one that nobody knows. */
const FRAMES: readonly (readonly [Framing, (text: string) => string])[] = [
  [
    CHAT,
    (text) => `data: {"id":"chat-1","choices":[{"index":0,"delta":{"content":${text}},"finish_reason":null}]}\n\n`,
  ],
  [CHAT, (text) => `data: {"choices":[{"index":0,"delta":{"role":${text},"content":"so"}}]}\n\n`],
  [CHAT, (text) => `data: {"choices":[{"index":0,"delta":{"role": ${text}}}]}\n\n`],
  [CHAT, (text) => `data: {"choices":[{"index":0,"delta":{"content":"ab","refusal":${text}}}]}\n\n`],
  [CHAT, (text) => `data: {"id":${text},"choices":[{"index":0,"delta":{"content":"ab"}}]}\n\n`],
  [CHAT, (text) => `data: {"choices":[{"index":0,"delta":{"content":"\\u0061b"}}],"id":${text}}\n\n`],
  [CHAT, (text) => `data: {"object":${text},"unheard":{"of":${text}}}\n\n`],
  [CHAT, (text) => `data: {"unheard":{"of":${text}}}\n\n`],
  [CHAT, (text) => `data: {${text}:1}\n\n`],
  [CHAT, (text) => `data: ${text}\n\n`],
  [CHAT, (text) => `data: {"choices":[{"delta":{"tool_calls":[{"index":1,"function":{"arguments":${text}}}]}}]}\n\n`],
  [
    MESSAGES,
    (text) =>
      `event: d\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":${text}}}\n\n`,
  ],
  [MESSAGES, (text) => `data: {"type":"content_block_delta","index":0,"delta":{"type":${text},"text":"ab"}}\n\n`],
  [CHAT, (text) => `data: {"choices":[{"index":0,"delta":{"content":${text}}}],"obfuscation":"${noise(text)}"}\n\n`],
  [CHAT, (text) => `data: {"choices":[{"index":0,"delta":{"content":"ab"}}],"obfuscation":${text}}\n\n`],
  [CHAT, (text) => `data: {"unheard":{"of":${text},"obfuscation":"${noise(text)}"}}\n\n`],
  [
    CHAT,
    (text) =>
      `data: {"choices":[{"index":0,"delta":{"content":${text},"arguments":{"obfuscation":"${noise(text)}"}}}]}\n\n`,
  ],
  [OLLAMA, (text) => `{"model":"m","message":{"role":"assistant","content":${text}},"done":false}\n`],
];

const TEXTS = [
  '"ab"',
  '"a"',
  '" and so on"',
  '""',
  '"stop"',
  '"assistant"',
  '"system"',
  '"content"',
  '"text"',
  '"x.completed"',
  '"\u00e9t\u00e9"',
  '"\u4e2d\u6587"',
  '"a\\nb"',
  '"a\\"b"',
  '"{\\"a\\":\\"b\\"}"',
  '"[1]"',
  '"data:text/plain,hello"',
  '"a\ufffdb"',
  `"${'long words '.repeat(9)}"`,
  '"a","b":"c"',
  '"ab","content":"cd"',
  '{"text":"ab"}',
  'null',
  '17',
  '"unended',
];

test('every frame says the same after any other', () => {
  let compared = 0;
  fc.assert(
    fc.property(
      fc.constantFrom(...FRAMES.keys()),
      fc.array(
        fc.record({ frame: fc.constantFrom(...FRAMES.keys()), stays: fc.nat(5), text: fc.constantFrom(...TEXTS) }),
        { minLength: 2, maxLength: 12 },
      ),
      (first, steps) => {
        const [framing] = FRAMES[first]!;
        const read = createPieceReader(framing);
        let at = first;
        for (const { frame, stays, text } of steps) {
          // Mostly of one kind, as in a stream.
          if (stays === 0) at = frame;
          const said = FRAMES[at]![1](text);
          assert.deepEqual(read(said), piecesOf(said, framing), said);
          compared += 1;
        }
      },
    ),
    { numRuns: 3000 },
  );
  assert.ok(compared > 6000);
});

test('any two texts in the same place of each wire say the same', () => {
  for (const [framing, frameOf] of FRAMES) {
    for (const one of TEXTS) {
      for (const other of TEXTS) {
        const read = createPieceReader(framing);
        read(frameOf(one));
        assert.deepEqual(read(frameOf(other)), piecesOf(frameOf(other), framing), `${frameOf(one)}${frameOf(other)}`);
      }
    }
  }
});

test('a frame that is cut off in its noise is read as it would be alone, whatever came before it', () => {
  const whole = 'data: {"choices":[{"index":0,"delta":{"content":"Hello"}}],"obfuscation":"abcDEF"}';
  const next = whole.replace('Hello', 'world');
  for (let at = 1; at < next.length; at += 1) {
    for (const ending of ['', '"', '}', '"}']) {
      const read = createPieceReader(CHAT);
      read(whole);
      const cut = next.slice(0, at) + ending;
      assert.deepEqual(read(cut), piecesOf(cut, CHAT), cut);
    }
  }
});

test('a frame that is like the one before it is not read anew', () => {
  const [framing, frameOf] = FRAMES[0]!;
  const read = createPieceReader(framing);
  const said = [read(frameOf('"some"')), read(frameOf('" words"'))].map((pieces) => pieces.at(-1)!);
  assert.deepEqual(said[1], { ...said[0]!, text: ' words' });
  const times = (work: () => unknown): number => {
    const startedAt = process.cpuUsage();
    for (let i = 0; i < 4000; i += 1) work();
    const { user, system } = process.cpuUsage(startedAt);
    return user + system;
  };
  const frame = frameOf('" words"');
  times(() => piecesOf(frame, framing));
  const anew = times(() => piecesOf(frame, framing));
  times(() => read(frame));
  assert.ok(times(() => read(frame)) < anew / 2);
});
