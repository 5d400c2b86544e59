import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { shapesFinder } from '../src/detect/shapes.ts';
import { DECODERS } from '../src/text/decoders/index.ts';
import { SHAPES_TOGETHER } from '../src/text/decoders/shapes-together.ts';
import { randomNumbers } from '../train/random.ts';

const SHAPED = DECODERS.filter(({ hint }) => hint === undefined);
const find = shapesFinder(DECODERS);
assert.ok(find !== null, 'the engine takes the shapes of all decoders');

describe('shapes of decoders', () => {
  it('are all searched for, each in one set', () => {
    const listed = SHAPES_TOGETHER.flatMap(({ decoders }) => decoders);
    assert.deepEqual(listed.map(({ name }) => name).sort(), SHAPED.map(({ name }) => name).sort());
  });

  it('are found wherever their decoder reads its examples', () => {
    for (const decoder of SHAPED)
      for (const [encoded] of decoder.examples.reads)
        assert.ok(find(Buffer.from(encoded)).includes(DECODERS.indexOf(decoder)), `${decoder.name}: ${encoded}`);
  });

  it('are searched for in ASCII unless they hold a letter beyond it', () => {
    const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).join('');
    for (const { decoders, beyondAscii } of SHAPES_TOGETHER) {
      if (beyondAscii !== true) continue;
      for (const { name, examples } of decoders)
        for (const [encoded] of examples.reads) assert.match(encoded, /[^\0-\x7f]/, name);
      for (const { name, shape } of decoders)
        for (const part of partsOf(shape)) assert.match(part.replace(CLASS, ''), /[^\0-\x7f]/, `${name}: ${part}`);
    }
    assert.deepEqual(find(Buffer.from(ascii)), []);
  });

  it('are found in noise that no two readers have seen, without a state of the engine for each character', () => {
    const random = randomNumbers(3);
    const noise = Buffer.from(Array.from({ length: 196_608 }, () => Math.floor(random() * 256))).toString('base64');
    const before = process.cpuUsage();
    for (let at = 0; at < noise.length; at += 65_536) find(Buffer.from(noise.slice(at, at + 65_536)));
    const { user, system } = process.cpuUsage(before);
    // 60 ms on a quiet machine, and a second where all shapes were one set.
    assert.ok(user + system < 600_000, `${(user + system) / 1000} ms for ${noise.length} characters`);
  });
});

/** One of several characters, unless all of ASCII is excluded. */
const CLASS = /\[(?!\^\\x00-)(?:\\.|[^\]])*\]/g;

/** What stands between `|`, at whatever depth. */
function partsOf(shape: string): string[] {
  const parts = [''];
  let inClass = false;
  for (let i = shape.startsWith('(?i)') ? 4 : 0; i < shape.length; i += 1) {
    const char = shape[i]!;
    if (char === '\\') parts[parts.length - 1] += char + shape[(i += 1)]!;
    else if (char === '|' && !inClass) parts.push('');
    else {
      if (char === '[' || char === ']') inClass = char === '[';
      parts[parts.length - 1] += char;
    }
  }
  return parts;
}
