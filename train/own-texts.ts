import { createHash } from 'node:crypto';
import type { Signature } from '../src/domain/signature.ts';
import type { Corpus, Row } from './corpora.ts';
import { chance } from './chance.ts';
import { EAST_ATTACKS } from './attack-east.ts';
import { ATTACK_SLOTS, INJECTIONS, JAILBREAKS } from './attack-phrases.ts';
import { BOXES, FRAMES, RUSES, RUSE_SLOTS } from './attack-ruses.ts';
import { BARGAINS, PLANTED } from './attack-scenes.ts';
import { WEST_INJECTIONS, WEST_JAILBREAKS } from './attack-west.ts';
import { HARNESS } from './honest-harness.ts';
import { LANGUAGES } from './honest-languages.ts';
import type { Speech } from './honest-languages.ts';
import { OPERATORS } from './honest-operators.ts';
import { PAPERS } from './honest-papers.ts';
import { PHRASES, SLOTS } from './honest-phrases.ts';
import { PROSE } from './honest-prose.ts';
import { REQUESTS } from './honest-requests.ts';
import { RIDDLES } from './honest-riddles.ts';
import { ROLES } from './honest-roles.ts';
import { SCREENS } from './honest-screens.ts';
import { MANNERS, SECURITY } from './honest-security.ts';
import { TONGUES } from './tongues/index.ts';

/**
 * Corpora from this project's own texts: the examples of the signatures in all languages; their reasons and the
 * documentation pages, which are benign prose about attacks; attacks of one idea in many wordings; and benign texts
 * made of the words of attacks.
 */
export function ownCorpora(signatures: readonly Signature[], pages: readonly string[]): Corpus[] {
  const attacks = signatures.filter(({ category }) => category === 'prompt-injection' || category === 'jailbreak');
  return [
    corpusOf(
      'own_attacks',
      attacks.flatMap(({ category, matches }) => matches.map((text) => [text, category])),
    ),
    corpusOf('own_attack_phrases', attackTexts()),
    corpusOf('own_attacks_tongues', [
      ...labelled(
        TONGUES.flatMap(({ injections }) => injections),
        'prompt-injection',
      ),
      ...labelled(
        TONGUES.flatMap(({ jailbreaks }) => jailbreaks),
        'jailbreak',
      ),
    ]),
    corpusOf(
      'own_near_misses',
      signatures.flatMap(({ ignores, why }) => [...ignores, why]).map((text) => [text, 'benign']),
    ),
    corpusOf(
      'own_pages',
      pages.flatMap(paragraphsOf).map((text) => [text, 'benign']),
    ),
    corpusOf(
      'own_honest',
      honestTexts().map((text) => [text, 'benign']),
    ),
    // A corpus of its own, because these texts are few and very frequent in traffic.
    corpusOf('own_harness', labelled(HARNESS, 'benign')),
    // Separate corpora give them more weight than the attacks: in a language that the model hardly knows, text that
    // resembles an attack is mostly benign.
    ...[true, false].map((inLatin) =>
      corpusOf(
        inLatin ? 'own_honest_tongues_latin' : 'own_honest_tongues_other',
        labelled(
          TONGUES.flatMap(({ honest }) => honest).filter((text) => isLatin(text) === inLatin),
          'benign',
        ),
      ),
    ),
    // A corpus of its own: adding more of these to the others lost attacks in their languages.
    corpusOf(
      'own_honest_languages',
      LANGUAGES.flatMap(textsIn).map((text) => [text, 'benign']),
    ),
  ];
}

const LEAST_PARAGRAPH = 60;

/** The paragraphs of a Markdown page, without code blocks, in which attacks are quoted. */
function paragraphsOf(page: string): string[] {
  return page
    .split('```')
    .filter((_, i) => i % 2 === 0)
    .flatMap((prose) => prose.split(/\n\s*\n/))
    .map((text) => text.trim())
    .filter((text) => text.length >= LEAST_PARAGRAPH);
}

function corpusOf(name: string, texts: readonly (readonly string[])[]): Corpus {
  const unlike = [...new Map(texts.map((one) => [one[0]!, one])).values()];
  const rows = unlike.map(([text, label], i): Row => {
    return { id: `${name}-${i}`, text: text!, label: label!, corpus: name, subtype: '', measuredOnly: false };
  });
  const sha256 = createHash('sha256').update(JSON.stringify(unlike)).digest('hex');
  return { name, rows, measuredOnly: false, sha256 };
}

const OF_EACH_PHRASE = 18;
const OF_EACH_ATTACK = 8;
const TOGETHER = 900;

export function honestTexts(): string[] {
  const { pick, fill, next } = filling(11, SLOTS);
  const phrases = [
    ...PHRASES,
    ...PROSE,
    ...ROLES,
    ...SCREENS,
    ...SECURITY,
    ...MANNERS,
    ...RIDDLES,
    ...PAPERS,
    ...REQUESTS,
  ];
  const each = phrases.flatMap((phrase) => Array.from({ length: OF_EACH_PHRASE }, () => fill(phrase)));
  // Several in one text, as in a long prompt or a mail: none of them would fill a window alone.
  const together = Array.from({ length: TOGETHER }, () =>
    Array.from({ length: 2 + Math.floor(next() * 6) }, () => fill(pick(phrases))).join(next() < 0.5 ? '\n' : ' '),
  );
  return [...each, ...together, ...OPERATORS];
}

const OF_EACH_FOREIGN = 2;
const FOREIGN_TOGETHER = 40;

function textsIn({ slots, phrases }: Speech, place: number): string[] {
  const { pick, fill, next } = filling(17 + place, slots);
  const each = phrases.flatMap((phrase) => Array.from({ length: OF_EACH_FOREIGN }, () => fill(phrase)));
  const together = Array.from({ length: FOREIGN_TOGETHER }, () =>
    Array.from({ length: 2 + Math.floor(next() * 4) }, () => fill(pick(phrases))).join(next() < 0.5 ? '\n' : ' '),
  );
  return [...each, ...together];
}

function attackTexts(): (readonly [text: string, label: string])[] {
  const { fill } = filling(13, { ...ATTACK_SLOTS, ...RUSE_SLOTS });
  const of = (phrases: readonly string[], label: string) =>
    phrases.flatMap((phrase) => Array.from({ length: OF_EACH_ATTACK }, () => [fill(phrase), label] as const));
  return [
    ...of([...INJECTIONS, ...PLANTED, ...RUSES, ...FRAMES], 'prompt-injection'),
    ...of([...JAILBREAKS, ...BARGAINS, ...BOXES], 'jailbreak'),
    ...spokenIn([...WEST_INJECTIONS, ...EAST_ATTACKS], 'prompt-injection'),
    ...spokenIn(WEST_JAILBREAKS, 'jailbreak'),
  ];
}

function isLatin(text: string): boolean {
  return /^\P{L}*\p{Script=Latin}/u.test(text);
}

function labelled(texts: readonly string[], label: string): (readonly [text: string, label: string])[] {
  return texts.map((text) => [text, label]);
}

const OF_EACH_FOREIGN_ATTACK = 4;

function spokenIn(speeches: readonly Speech[], label: string): (readonly [text: string, label: string])[] {
  return speeches.flatMap(({ slots, phrases }, place) => {
    const { fill } = filling(31 + place, slots);
    return phrases.flatMap((phrase) =>
      Array.from({ length: OF_EACH_FOREIGN_ATTACK }, () => [fill(phrase), label] as const),
    );
  });
}

function filling(seed: number, slots: Readonly<Record<string, string>>) {
  const next = chance(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(next() * items.length)]!;
  const fill = (phrase: string): string =>
    phrase.replaceAll(/\{(\w+)\}/g, (whole, slot: string) => pick(slots[slot]?.split('|') ?? [whole]));
  return { next, pick, fill };
}
