import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rulesetOf } from '../bench/as-shipped.ts';
import { scan } from '../src/detect/scan.ts';
import type { Role } from '../src/domain/passage.ts';
import { loadSignatures } from '../src/signatures/load.ts';
import { DECODERS } from '../src/text/decoders/index.ts';

const { signatures } = loadSignatures();
const ruleset = rulesetOf(signatures, DECODERS);

function isFound(text: string, role: Role, id: string): boolean {
  const scanned = scan(ruleset, [{ text, role, where: 'text', message: 0 }], { sensitive: false });
  return scanned.kind !== 'findings' || scanned.findings.some(({ signature }) => signature === id);
}

interface Example {
  readonly id: string;
  readonly role: Role;
  readonly text: string;
}

/** One example of each signature in a script other than Latin, and one of every fourth in ASCII. */
const inScripts: Example[] = [];
const inAscii: Example[] = [];
for (const [i, { id, roles, category, matches }] of signatures.entries()) {
  if (category === 'sensitive-data') continue;
  const role = roles[0] ?? 'user';
  const isHere = (text: string): boolean => text.includes(' ') && isFound(text, role, id);
  const foreign = matches.find((text) => /[^\0-\u024f\u2000-\u206f]/.test(text) && isHere(text));
  if (foreign !== undefined) inScripts.push({ id, role, text: foreign });
  const ascii = i % 4 === 0 ? matches.find((text) => /^[\0-\x7f]+$/.test(text) && isHere(text)) : undefined;
  if (ascii !== undefined) inAscii.push({ id, role, text: ascii });
}

const SEPARATORS = {
  'no-break spaces': '\u00a0',
  'wide spaces': '\u3000',
  'spaces of no width': '\u200b',
  ellipses: '…',
  'dashes between blanks': ' — ',
  'dots in the middle': ' • ',
  pictures: ' 🔥 ',
};

/** A few signatures ask for a blank itself, or count characters. */
const MOST_MISSED = 0.06;

for (const [name, separator] of Object.entries(SEPARATORS))
  for (const [of, examples] of [
    ['another script', inScripts],
    ['ASCII', inAscii],
  ] as const)
    test(`a phrase in ${of} is found with ${name} between its words`, () => {
      assert.ok(examples.length > 150, String(examples.length));
      const missed = examples.filter(({ id, role, text }) => !isFound(text.replaceAll(' ', separator), role, id));
      assert.ok(missed.length <= MOST_MISSED * examples.length, missed.map(({ id }) => id).join(', '));
    });
