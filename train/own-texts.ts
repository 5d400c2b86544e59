import { createHash } from 'node:crypto';
import type { Signature } from '../src/domain/signature.ts';
import type { Corpus, Row } from './corpora.ts';
import { randomNumbers } from './random.ts';
import { EAST_ATTACKS } from './attack-east.ts';
import { ATTACK_SLOTS, INJECTIONS, JAILBREAKS } from './attack-phrases.ts';
import { BOXES, FRAMES, RUSES, RUSE_SLOTS } from './attack-ruses.ts';
import { BARGAINS, PLANTED } from './attack-scenes.ts';
import { WEST_INJECTIONS, WEST_JAILBREAKS } from './attack-west.ts';
import { AGENT_NOTES } from './honest-agent-notes.ts';
import { HARNESS } from './honest-harness.ts';
import { HONEST_LANGUAGES } from './honest-languages.ts';
import type { LanguagePhrases } from './language-phrases.ts';
import { OPERATORS } from './honest-operators.ts';
import { PAPERS } from './honest-papers.ts';
import { PHRASES, SLOTS } from './honest-phrases.ts';
import { PROSE } from './honest-prose.ts';
import { READ_TEXTS } from './honest-read-texts.ts';
import { REQUESTS } from './honest-requests.ts';
import { RIDDLES } from './honest-riddles.ts';
import { ROLES } from './honest-roles.ts';
import { SCREENS } from './honest-screens.ts';
import { MANNERS, SECURITY } from './honest-security.ts';
import { TASKS } from './honest-tasks.ts';
import { LANGUAGE_TEXTS } from './tongues/index.ts';

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
        LANGUAGE_TEXTS.flatMap(({ injections }) => injections),
        'prompt-injection',
      ),
      ...labelled(
        LANGUAGE_TEXTS.flatMap(({ jailbreaks }) => jailbreaks),
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
    // Corpora of their own, because these texts are few and very frequent in traffic.
    corpusOf('own_harness', labelled(HARNESS, 'benign')),
    corpusOf('own_agent_notes', labelled(AGENT_NOTES, 'benign')),
    corpusOf('own_read_texts', labelled(READ_TEXTS, 'benign')),
    corpusOf('own_honest_tasks', labelled(TASKS, 'benign')),
    // Separate corpora give them more weight than the attacks: in a language that the model hardly knows, text that
    // resembles an attack is mostly benign.
    ...[true, false].map((inLatin) =>
      corpusOf(
        inLatin ? 'own_honest_tongues_latin' : 'own_honest_tongues_other',
        labelled(
          LANGUAGE_TEXTS.flatMap(({ honest }) => honest).filter((text) => isLatin(text) === inLatin),
          'benign',
        ),
      ),
    ),
    // A corpus of its own: adding more of these to the others lost attacks in their languages.
    corpusOf(
      'own_honest_languages',
      HONEST_LANGUAGES.flatMap(foreignHonestTexts).map((text) => [text, 'benign']),
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
  const distinct = [...new Map(texts.map((one) => [one[0]!, one])).values()];
  const rows = distinct.map(([text, label], i): Row => {
    return { id: `${name}-${i}`, text: text!, label: label!, corpus: name, subtype: '', measuredOnly: false };
  });
  const sha256 = createHash('sha256').update(JSON.stringify(distinct)).digest('hex');
  return { name, rows, measuredOnly: false, sha256 };
}

const TEXTS_PER_PHRASE = 18;
const TEXTS_PER_ATTACK = 8;
const COMBINED_TEXTS = 900;

export function honestTexts(): string[] {
  const { pick, fill, next } = slotFiller(11, SLOTS);
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
  const each = phrases.flatMap((phrase) => Array.from({ length: TEXTS_PER_PHRASE }, () => fill(phrase)));
  // Several in one text, as in a long prompt or a mail: none of them would fill a window alone.
  const together = Array.from({ length: COMBINED_TEXTS }, () =>
    Array.from({ length: 2 + Math.floor(next() * 6) }, () => fill(pick(phrases))).join(next() < 0.5 ? '\n' : ' '),
  );
  return [...each, ...together, ...OPERATORS];
}

const TEXTS_PER_FOREIGN_PHRASE = 2;
const FOREIGN_COMBINED_TEXTS = 40;

function foreignHonestTexts({ slots, phrases }: LanguagePhrases, place: number): string[] {
  const { pick, fill, next } = slotFiller(17 + place, slots);
  const each = phrases.flatMap((phrase) => Array.from({ length: TEXTS_PER_FOREIGN_PHRASE }, () => fill(phrase)));
  const together = Array.from({ length: FOREIGN_COMBINED_TEXTS }, () =>
    Array.from({ length: 2 + Math.floor(next() * 4) }, () => fill(pick(phrases))).join(next() < 0.5 ? '\n' : ' '),
  );
  return [...each, ...together];
}

function attackTexts(): (readonly [text: string, label: string])[] {
  const { fill } = slotFiller(13, { ...ATTACK_SLOTS, ...RUSE_SLOTS });
  const of = (phrases: readonly string[], label: string) =>
    phrases.flatMap((phrase) => Array.from({ length: TEXTS_PER_ATTACK }, () => [fill(phrase), label] as const));
  return [
    ...of([...INJECTIONS, ...PLANTED, ...RUSES, ...FRAMES], 'prompt-injection'),
    ...of([...JAILBREAKS, ...BARGAINS, ...BOXES], 'jailbreak'),
    ...foreignAttacks([...WEST_INJECTIONS, ...EAST_ATTACKS], 'prompt-injection'),
    ...foreignAttacks(WEST_JAILBREAKS, 'jailbreak'),
  ];
}

function isLatin(text: string): boolean {
  return /^\P{L}*\p{Script=Latin}/u.test(text);
}

function labelled(texts: readonly string[], label: string): (readonly [text: string, label: string])[] {
  return texts.map((text) => [text, label]);
}

const TEXTS_PER_FOREIGN_ATTACK = 4;

function foreignAttacks(
  speeches: readonly LanguagePhrases[],
  label: string,
): (readonly [text: string, label: string])[] {
  return speeches.flatMap(({ slots, phrases }, place) => {
    const { fill } = slotFiller(31 + place, slots);
    return phrases.flatMap((phrase) =>
      Array.from({ length: TEXTS_PER_FOREIGN_ATTACK }, () => [fill(phrase), label] as const),
    );
  });
}

function slotFiller(seed: number, slots: Readonly<Record<string, string>>) {
  const next = randomNumbers(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(next() * items.length)]!;
  const fill = (phrase: string): string =>
    phrase.replaceAll(/\{(\w+)\}/g, (whole, slot: string) => pick(slots[slot]?.split('|') ?? [whole]));
  return { next, pick, fill };
}
