import assert from 'node:assert/strict';
import { test } from 'node:test';
import { array, assert as holds, constantFrom, property } from 'fast-check';
import { inReverse, wordsReversed } from '../src/text/decoders/reversed-text.ts';

/** Halves of pairs by themselves, too: a sender may put them side by side with whole ones. */
const texts = array(constantFrom('a', 'B', 'é', '日', '😀', ' ', '\n', '\ud83d', '\ude00', '%', '7'), {
  maxLength: 60,
}).map((chars) => chars.join(''));

test('a text is turned around character by character, and no pair is torn', () => {
  holds(property(texts, (text) => assert.equal(inReverse(text), [...text].reverse().join(''))));
});

test('words are turned around where they stand, and blanks stay', () => {
  const turned = (text: string) =>
    text
      .split(/([ \n])/)
      .map((part) => [...part].reverse().join(''))
      .join('');
  holds(property(texts, (text) => assert.equal(wordsReversed(text), turned(text))));
});
