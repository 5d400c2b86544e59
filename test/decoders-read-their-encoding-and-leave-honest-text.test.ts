import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import RE2 from 're2';
import { DECODERS } from '../src/text/decoders/index.ts';
import { TRIGGER_WORDS } from '../src/text/decoders/trigger-words.ts';
import { inPlace } from '../src/text/in-place.ts';
import { hintedBy } from '../src/text/asked.ts';

/** Whether the decoder would be asked about this text at all. */
function isAsked(name: string, shape: string, hinted: boolean, text: string): boolean {
  return hinted ? hintedBy(text).some((decoder) => decoder.name === name) : new RE2(shape, 'u').test(text);
}

describe('every decoder', () => {
  it('has a name of its own', () => {
    assert.equal(new Set(DECODERS.map((decoder) => decoder.name)).size, DECODERS.length);
  });

  for (const { name, shape, hint, decode, suspicion, examples } of DECODERS) {
    it(`${name}: has a shape that the engine takes and that sees each of its examples`, () => {
      const engine = new RE2(shape, 'u');
      assert.ok(examples.reads.length > 0);
      for (const [encoded] of examples.reads) {
        assert.ok(engine.test(encoded), `shape: ${encoded}`);
        assert.ok(isAsked(name, shape, hint !== undefined, encoded), `hint: ${encoded}`);
      }
    });

    it(`${name}: reads what it says it reads`, () => {
      for (const [encoded, plain] of examples.reads) {
        const pieces = decode(encoded);
        const read = [inPlace(encoded, pieces), ...pieces.map((piece) => piece.text)];
        assert.ok(
          read.some((text) => text.includes(plain)),
          `${encoded} read ${JSON.stringify(read)}`,
        );
        for (const { start, end } of pieces) assert.ok(start >= 0 && start < end && end <= encoded.length, encoded);
      }
    });

    it(`${name}: leaves honest text of the same look alone`, () => {
      assert.ok(examples.leaves.length >= 2);
      for (const text of examples.leaves) {
        if (!isAsked(name, shape, hint !== undefined, text)) continue;
        const read = decode(text).map((piece) => piece.text.toLowerCase());
        for (const word of TRIGGER_WORDS) {
          if (text.toLowerCase().includes(word)) continue;
          assert.ok(!read.some((plain) => plain.includes(word)), `${text} read ${word}`);
        }
        assert.ok(suspicion <= 0.5 || read.length === 0, text);
      }
    });
  }
});
