/** How bytes begin is known by keyed hashes: the longest beginning that is known, and never one that differs in a bit. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { createPrefixes, type Prefixes } from '../src/detect/known/prefixes.ts';

const UNIT = 1024;

/** What is known of a beginning is its length. */
function knownOf(prefixes: Prefixes<number>, bytes: Uint8Array, context = ''): number | null {
  return prefixes.of(context, bytes).known;
}

function keep(prefixes: Prefixes<number>, bytes: Uint8Array, length = bytes.length, context = ''): void {
  prefixes.of(context, bytes).keep(length, (known) => known);
}

test('the longest beginning that is kept is known to the last whole unit, whatever comes behind it', () => {
  for (const units of [8, 9, 15, 16, 31, 63, 64, 85, 100, 1000]) {
    const prefixes = createPrefixes<number>(1000);
    const bytes = randomBytes(units * UNIT + 500);
    keep(prefixes, bytes);
    assert.equal(knownOf(prefixes, bytes), units * UNIT, `${units}`);
    for (const more of [1, 3000, 70_000].filter((more) => bytes.length + more < 1024 * UNIT))
      assert.equal(knownOf(prefixes, Buffer.concat([bytes, randomBytes(more)])), units * UNIT, `${units} and ${more}`);
  }
});

test('a body that grows is known as far as it was kept last, at every length', () => {
  const prefixes = createPrefixes<number>(1000);
  const bytes = randomBytes(200 * UNIT);
  for (let length = 10 * UNIT + 7; length < bytes.length; length += 3 * UNIT - 5) {
    const body = bytes.subarray(0, length);
    keep(prefixes, body);
    assert.equal(knownOf(prefixes, bytes.subarray(0, length + 2000)), Math.floor(length / UNIT) * UNIT, `${length}`);
  }
});

test('nothing is known beyond the first byte that differs', () => {
  const prefixes = createPrefixes<number>(10_000);
  const bytes = randomBytes(120 * UNIT);
  for (const length of [20, 40, 64, 77, 96, 101, 120]) keep(prefixes, bytes, length * UNIT);
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const other = Buffer.from(bytes);
      other[at]! ^= change;
      const known = knownOf(prefixes, other) ?? 0;
      assert.ok(known <= at, `${known} bytes are known of one that differs at ${at}`);
    }),
  );
  const moved = Buffer.concat([bytes.subarray(64 * UNIT), bytes.subarray(0, 64 * UNIT)]);
  assert.equal(knownOf(prefixes, moved), null);
});

test('where two bodies part, what they share is known of a third', () => {
  const prefixes = createPrefixes<number>(1000);
  const shared = randomBytes(64 * UNIT);
  for (let i = 0; i < 2; i += 1) keep(prefixes, Buffer.concat([shared, randomBytes(30 * UNIT)]));
  assert.equal(knownOf(prefixes, Buffer.concat([shared, randomBytes(30 * UNIT)])), 64 * UNIT);
});

test('what is known in one context, or on one thread, is known in no other', () => {
  const prefixes = createPrefixes<number>(1000);
  const bytes = randomBytes(40 * UNIT);
  keep(prefixes, bytes, bytes.length, '/v1/chat/completions');
  assert.notEqual(knownOf(prefixes, bytes, '/v1/chat/completions'), null);
  assert.equal(knownOf(prefixes, bytes, '/v1/responses'), null);
  assert.equal(knownOf(prefixes, bytes, `/v1/chat/completions${'/x'.repeat(200)}`), null);
  assert.equal(knownOf(createPrefixes<number>(1000), bytes, '/v1/chat/completions'), null);
});

test('the oldest beginnings are forgotten, and those that are asked for stay', () => {
  const prefixes = createPrefixes<number>(50);
  const first = randomBytes(16 * UNIT);
  const second = randomBytes(16 * UNIT);
  keep(prefixes, first);
  keep(prefixes, second);
  for (let i = 0; i < 40; i += 1) {
    keep(prefixes, randomBytes(23 * UNIT));
    assert.notEqual(knownOf(prefixes, first), null, `after ${i}`);
  }
  assert.equal(knownOf(prefixes, second), null);
});

test('to find a beginning among thousands takes a dozen hashes at most, and reads no byte more than twice', () => {
  const prefixes = createPrefixes<number>(10_000);
  const bytes = randomBytes(1023 * UNIT);
  for (let units = 8; units < 1023; units += 1) keep(prefixes, bytes, units * UNIT);
  let read = 0;
  let hashes = 0;
  const watched = new Proxy(bytes, {
    get(target, name) {
      if (name !== 'subarray') return Reflect.get(target, name, target) as unknown;
      return (from: number, to: number) => {
        hashes += 1;
        read += to - from;
        return target.subarray(from, to);
      };
    },
  });
  assert.equal(knownOf(prefixes, watched), 1022 * UNIT);
  assert.ok(hashes <= 12, `${hashes}`);
  assert.ok(read <= 2 * bytes.length, `${read}`);
});
