/**
 * V8 compiles an expression when it is first executed, and again after it was not used for a while. One of thousands of
 * alternatives took it 0.4 seconds: the first text with two glued words, and all calls behind it, waited for that.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DECODERS } from '../src/text/decoders/index.ts';

/** The most that was measured on a slow machine is 14. */
const MOST_MS = 100;

test('no decoder keeps the first text that asks it waiting', () => {
  for (const { name, decode, examples } of DECODERS) {
    const [encoded] = examples.reads[0]!;
    const before = process.cpuUsage();
    // Twice: V8 compiles an expression into machine code when it is executed for the second time.
    decode(encoded);
    decode(encoded);
    const { user, system } = process.cpuUsage(before);
    assert.ok(user + system < MOST_MS * 1000, `${name}: ${(user + system) / 1000} ms`);
  }
});
