import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import type { Passage } from '../src/domain/passage.ts';
import type { WireName } from '../src/domain/job.ts';
import { readableJson } from './helpers/extracted.ts';

function passagesOf(body: unknown, path: string, wire: WireName = 'auto'): readonly Passage[] {
  return readableJson(body, { wire, path, contentType: '' }).passages;
}

const find = (passages: readonly Passage[], text: string): Passage => {
  const found = passages.find((passage) => passage.text === text);
  ok(found, `no passage ${text}`);
  return found;
};

test('the parts of a message stand together, in order, and other messages apart', () => {
  const passages = passagesOf(
    {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'one' },
            { type: 'text', text: 'two' },
          ],
        },
        { role: 'assistant', content: 'three' },
        { role: 'user', content: 'four' },
      ],
    },
    '/v1/chat/completions',
  );
  const [one, two, three, four] = ['one', 'two', 'three', 'four'].map((text) => find(passages, text));
  equal(one!.message, two!.message);
  equal(passages.indexOf(two!), passages.indexOf(one!) + 1);
  equal(new Set([one!.message, three!.message, four!.message]).size, 3);
  deepEqual([one!.where, two!.where], ['messages[0].content[0].text', 'messages[0].content[1].text']);
});

const TOGETHER: readonly (readonly [path: string, body: Record<string, string>])[] = [
  ['/v1/completions', { prompt: 'first half', suffix: 'second half' }],
  ['/api/generate', { system: 'first half', template: 'second half' }],
  ['/v1/responses', { instructions: 'first half', input: 'second half' }],
];

for (const [path, body] of TOGETHER) {
  test(`${Object.keys(body).join(' and ')} of ${path} are one message`, () => {
    const passages = passagesOf(body, path);
    equal(find(passages, 'first half').message, find(passages, 'second half').message);
  });
}

test('small strings at unnamed places are put together by author, and none is lost', () => {
  const schema = {
    type: 'object',
    properties: Object.fromEntries([...Array(500).keys()].map((n) => [`field_${n}`, {}])),
  };
  const passages = passagesOf({ tools: [{ name: 'f', parameters: schema }], messages: [] }, '/v1/chat/completions');
  equal(passages.length, 1);
  for (let n = 0; n < 500; n++) ok(passages[0]!.text.split('\n').includes(`field_${n}`));
});

test('a body of more messages than passages is still taken whole', () => {
  const messages = [...Array(30_000).keys()].map((n) => ({ role: 'user', content: `message number ${n}!` }));
  const passages = passagesOf({ messages }, '/v1/chat/completions');
  ok(passages.length < 10_100);
  const all = passages.map(({ text }) => text).join('\n');
  for (let n = 0; n < 30_000; n++) ok(all.includes(`message number ${n}!`));
  ok(passages.every(({ role }) => role === 'user'));
});

test('where a passage stood never holds a value, and a key only cut and cleaned', () => {
  const passages = passagesOf({ 'a key\nwith <b>markup</b> and much, much more of it': { x: 'y'.repeat(50) } }, '/x');
  deepEqual(
    passages.filter(({ text }) => text.startsWith('yyy')).map(({ where }) => where),
    ['a?key?with??b?markup??b??and?muc.x'],
  );
  const deep = JSON.parse(`${'{"abcdefgh":'.repeat(200)}"${'z'.repeat(50)}"${'}'.repeat(200)}`) as unknown;
  ok(passagesOf(deep, '/x').every(({ where }) => where.length <= 200));
});
