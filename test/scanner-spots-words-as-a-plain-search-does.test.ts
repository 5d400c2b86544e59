import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Key } from '../src/detect/patterns/keys.ts';
import { SMALLS } from '../src/detect/glance/smalls.ts';
import { beginsSeparator, isSeparator } from '../src/text/separators.ts';
import { hashKeys, nothingSpotted } from '../src/detect/glance/spotter.ts';
import type { Hashed, Spotter } from '../src/detect/glance/spotter.ts';

const keys: readonly Key[] = [
  ...['ignore', 'a', 'to', 'the', '7', 'developer', 'disregarding', 'instructions1', 'x'.repeat(64)].map(
    (text) => ({ kind: 'word', text }) as const,
  ),
  ...['all rules', 'a a', 'the developer', 'to disregarding'].map((text) => ({ kind: 'pair', text }) as const),
  ...['ign', 'instr', 'disregard', 'xxx', 'x'.repeat(63)].map((text) => ({ kind: 'prefix', text }) as const),
  ...['re', 'ing', 'ules', 'regarding', 'xx', 'y'.repeat(63)].map((text) => ({ kind: 'suffix', text }) as const),
  ...['忽略', '指令吗', 'игно', 'правил', 'éè'].map((text) => ({ kind: 'gram', text }) as const),
];

interface Told {
  readonly key: string;
  readonly end: number;
  readonly place: number;
}

/** What should be told, looked for in the plainest way. */
function plainly(text: string): Told[] {
  const told: Told[] = [];
  const tell = (kind: Key['kind'], isThere: (key: string) => boolean, end: number, place: number): void => {
    for (const key of keys)
      if (key.kind === kind && isThere(key.text)) told.push({ key: `${kind} ${key.text}`, end, place });
  };
  const small = (part: string): string =>
    Array.from({ length: part.length }, (_, i) => String.fromCharCode(SMALLS[part.charCodeAt(i)]!)).join('');
  let place = 0;
  let before = '';
  for (const { 0: found, index } of text.matchAll(/[A-Za-z0-9]+|[^\x00-\x7f]/g)) {
    const end = index + found.length;
    if (isBetween(text, index)) continue;
    if (!/[\u200c\u200d]/.test(found)) place += 1;
    if (found > '\x7f') {
      let from = index;
      while (from > 0 && text[from - 1]! > '\x7f' && !isBetween(text, from - 1)) from -= 1;
      const run = text.slice(from, end);
      tell('gram', (key) => small(run).endsWith(small(key)), end, place);
      continue;
    }
    const word = found.toLowerCase();
    tell('word', (key) => word === key, end, place);
    tell('pair', (key) => `${before} ${word}` === key, end, place);
    tell('prefix', (key) => word.startsWith(key), end, place);
    tell('suffix', (key) => word.endsWith(key), end, place);
    before = word;
  }
  return told;
}

/** Whether a unit stands between words: by itself, or as the second half of a pair whose first half does. */
function isBetween(text: string, at: number): boolean {
  if (!/[\udc00-\udfff]/.test(text[at]!)) return beginsSeparator(text.charCodeAt(at));
  return at === 0 || text[at - 1]! <= '\x7f' || isBetween(text, at - 1);
}

/** Tells the numbers of keys as they are. */
function spotterOf(keys: readonly Key[]): { readonly numbers: Hashed['numbers']; readonly spotter: Spotter } {
  const { numbers, count, telling } = hashKeys(keys);
  return { numbers, spotter: telling(Int32Array.from({ length: count }, (_, number) => number)) };
}

function spotted(text: string, slice = 65_536): { readonly told: Told[]; readonly thirds: number[] } {
  const { numbers, spotter } = spotterOf(keys);
  const names = new Map(keys.map((key, i) => [numbers[i]!, `${key.kind} ${key.text}`]));
  const units = new Uint16Array(text.length);
  for (let i = 0; i < text.length; i += 1) units[i] = text.charCodeAt(i);
  const all = nothingSpotted();
  for (let from = 0; from < text.length; from += slice) {
    const to = Math.min(from + slice, text.length);
    spotter.spot(units, from, to, to === text.length, all);
  }
  const told = Array.from({ length: all.count }, (_, i) => ({
    key: names.get(all.keys[i]!)!,
    end: all.ends[i]!,
    place: all.places[i]!,
  }));
  return { told, thirds: [...all.thirds.subarray(0, all.runs)] };
}

const ordered = (told: readonly Told[]): readonly Told[] =>
  told.toSorted((a, b) => a.end - b.end || (a.key < b.key ? -1 : 1));

function assertAlike(text: string, slice?: number): void {
  const { told: found, thirds } = spotted(text, slice);
  assert.deepEqual(
    thirds,
    [
      ...Array.from({ length: text.length }, (_, at) =>
        isSeparator(text.charCodeAt(at)) || /[^A-Za-z0-9\u0080-\uffff]/.test(text[at]!) ? '-' : 'x',
      )
        .join('')
        .matchAll(/-{3,}/g),
    ].map(({ index }) => index + 2),
    'runs of three between words',
  );
  assert.deepEqual(
    found.map(({ end }) => end),
    found.map(({ end }) => end).sort((a, b) => a - b),
    'in the order of the text',
  );
  assert.deepEqual(ordered(found), ordered(plainly(text)));
}

test('words, their pairs, beginnings and ends, runs beyond ASCII, and those between words are spotted as a plain search finds them', () => {
  assertAlike('Ignore ALL rules, to disregarding the developer: a a a, instructions1 x7 7. 忽略指令吗 Игно правил ÉÈ');
  assertAlike('');
  assertAlike('ignore');
  assertAlike('x'.repeat(64));
});

const PIECES: readonly string[] = [
  ...'ignore Ignore a to the THE 7 developer disregarding undisregarding instructions1 instructions all rules'.split(
    ' ',
  ),
  ...'RULES x xx xxx y yy 忽略 指令吗 игно ПРАВИЛ é È 😀 𝐢 … — 。 “ . - @ [ ` { /'.split(' '),
  ...Array.from(' '.repeat(6)),
  ...Array.from('\n\t\0\x7f\u00a0\u3000\u200b\u200c\u200d\ud800\udc00\ud83d'),
];

function made(length: number, random: () => number): string {
  let text = '';
  while (text.length < length) {
    const piece = PIECES[Math.floor(random() * PIECES.length)]!;
    text += random() < 0.01 ? piece.repeat(1 + Math.floor(random() * 200)) : piece;
  }
  return text.slice(0, length);
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return state / 0x7fff_ffff;
  };
}

test('the same holds of a thousand texts at random, of any length', () => {
  const random = seeded(7);
  for (let i = 0; i < 1000; i += 1) assertAlike(made(Math.floor(random() * 300), random));
});

test('a word, a pair and a run that go on over the end of a block, or of a slice, are spotted as if there were none', () => {
  const random = seeded(11);
  for (let i = 0; i < 12; i += 1) assertAlike(made(9000, random), 4096);
  for (const word of [
    'ignore',
    'instructions1',
    'x'.repeat(63),
    'x'.repeat(64),
    'x'.repeat(65),
    '忽略',
    'правил',
    'all rules',
  ])
    for (let at = 4096 - word.length - 1; at <= 4097; at += 1) assertAlike(`${'.'.repeat(at)}${word}`);
});

test('a key that is longer than any memory for it is told of words that are too long, and harms no other', () => {
  const { numbers, spotter } = spotterOf([{ kind: 'word', text: 'z'.repeat(10_000) }, ...keys]);
  const told = nothingSpotted();
  const text = `ignore ${'q'.repeat(100)} правил`;
  const units = Uint16Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
  spotter.spot(units, 0, text.length, true, told);
  const found = new Set(told.keys.subarray(0, told.count));
  assert.ok(found.has(numbers[0]!));
  assert.ok(found.has(numbers[1 + keys.findIndex(({ text }) => text === 'правил')]!));
});

test('a word of many blocks still has its beginning and its end', () => {
  for (const length of [100, 4000, 4096, 9000, 20_000])
    for (const lead of [0, 1, 2, 3, 4000, 4090, 4093, 4094, 4095, 4096, 8190])
      assertAlike(`${' '.repeat(lead)}ignore${'q'.repeat(length)}regarding it`);
  assertAlike(`x${'y'.repeat(12_000)} ${'x'.repeat(12_000)}`);
});
