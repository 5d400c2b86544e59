/** Message catalogs (GNU gettext) as the training reads them: every message, without its context and its other forms. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { messagesInCatalog } from '../train/published/catalogs.ts';

/** A catalog as msgfmt writes it: a head, two tables of lengths and offsets, and the texts, each with a zero behind it. */
function catalogOf(messages: readonly (readonly [source: string, translation: string])[]): Buffer {
  const HEAD = 28;
  const texts = [...messages.map(([source]) => source), ...messages.map(([, translation]) => translation)];
  const head = Buffer.alloc(HEAD + 8 * texts.length);
  head.writeUInt32LE(0x950412de, 0);
  head.writeUInt32LE(messages.length, 8);
  head.writeUInt32LE(HEAD, 12);
  head.writeUInt32LE(HEAD + 8 * messages.length, 16);
  let end = head.length;
  for (const [i, text] of texts.entries()) {
    head.writeUInt32LE(Buffer.byteLength(text), HEAD + 8 * i);
    head.writeUInt32LE(end, HEAD + 8 * i + 4);
    end += Buffer.byteLength(text) + 1;
  }
  return Buffer.concat([head, ...texts.map((text) => Buffer.from(`${text}\0`))]);
}

test('a catalog gives each message and its translation', () => {
  const catalog = catalogOf([
    ['', 'Language: de\n'],
    ['The village is yours now.', 'Das Dorf gehört jetzt dir.'],
    ['You win!', 'Du gewinnst!'],
  ]);
  assert.deepEqual(messagesInCatalog(catalog), [
    { source: 'The village is yours now.', translation: 'Das Dorf gehört jetzt dir.' },
    { source: 'You win!', translation: 'Du gewinnst!' },
  ]);
});

test('contexts, marks in front of a message and plurals are no part of it', () => {
  const catalog = catalogOf([
    ['menu\u0004Open the gate', 'Ouvrir la porte'],
    ['female^You are tired.', 'Tu es fatiguée.'],
    ['One unit\0Many units', 'Una unità\0Molte unità'],
  ]);
  assert.deepEqual(messagesInCatalog(catalog), [
    { source: 'Open the gate', translation: 'Ouvrir la porte' },
    { source: 'You are tired.', translation: 'Tu es fatiguée.' },
    { source: 'One unit', translation: 'Una unità' },
  ]);
});

test('what is no catalog gives nothing', () => {
  for (const file of [Buffer.alloc(0), Buffer.from('msgid "a"\nmsgstr "b"\n'), Buffer.alloc(64)])
    assert.deepEqual(messagesInCatalog(file), []);
});
