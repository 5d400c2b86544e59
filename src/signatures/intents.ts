import { isJsonObject } from '../domain/json-object.ts';
import type { Fields, Path, Say } from './entry.ts';
import { unknownKeys } from './entry.ts';
import { IDEAS } from './ideas.ts';
import type { Idea } from './ideas.ts';
import { misspellings } from './misspelt.ts';
import { noneBefore, noneFollows } from './none-of.ts';

/**
 * Expands intents to ordinary entries. An intent is a form such as `{drop} ... {earlier} ... {orders}`, whose `{...}`
 * are word classes of the file. No other code knows that an entry was not written out by hand.
 */
interface Expanded {
  readonly entry: Fields;
  readonly path: Path;
}

const INTENT_KEYS = [
  'idea',
  'id',
  'name',
  'category',
  'confidence',
  'why',
  'forms',
  'within',
  'hidden',
  'plain',
  'sentence',
  'roles',
  'directions',
  'matches',
  'ignores',
];
const CLASS_NAME = /^[a-z][a-z0-9-]*$/;
const MISSPELT = /^~[a-z]{4,}$/;
const CLASS_IN_FORM = /\{([a-z][^{}!]*)\}/g;
/** `{!class}`: none of its words follows. `{class!}`: none stands before. */
const NONE_OF_CLASS = /\{(?:!([a-z][^{}!]*)|([a-z][^{}!]*)!)\}/g;
/** What can be refused letter by letter. */
const MOST_REFUSED = 400;
const LETTERS = /^[\p{L}\p{M}\p{N} '’]+$/u;
const APART = / \.\.\. /;
/** How deep word classes may be nested. Deeper nesting is a cycle or unreadable. */
const DEEPEST = 4;
const DEEPEST_GROUP = 24;
/**
 * The longest expanded part. Nested classes multiply: RE2 would accept the result, but the start would take minutes.
 */
const LONGEST_PART = 20_000;

export function expandIntents(file: Fields, say: Say): Expanded[] {
  const language = languageOf(file, say);
  const expand = expanderOf(classesOf(file, say));
  if (!Array.isArray(file['intents'])) {
    say(['intents'], "'intents' must be a list");
    return [];
  }
  return file['intents'].flatMap((intent: unknown, index) => {
    const path = ['intents', index];
    if (!isJsonObject(intent)) {
      say(path, 'must be a mapping');
      return [];
    }
    unknownKeys(intent, INTENT_KEYS, path, say);
    const idea = ideaOf(intent, path, say);
    const entry = idea === null ? null : entryOf({ ...idea, ...intent }, intent, language, expand, path, say);
    return entry === null ? [] : [{ entry, path }];
  });
}

interface Language {
  readonly suffix: string;
  /** Added to the name of a signature, for example ` (German)`. Empty for English. */
  readonly note: string;
}

function languageOf(file: Fields, say: Say): Language {
  const { language } = file;
  if (typeof language === 'string' && /^[a-z]{2,3}(?:-[A-Z][a-z]{3})?$/.test(language)) {
    const name = new Intl.DisplayNames('en', { type: 'language' }).of(language) ?? language;
    return { suffix: language.toLowerCase(), note: language === 'en' ? '' : ` (${name})` };
  }
  say(['language'], "'language' must be a code such as 'de', or 'hi-Latn' for another script than its own");
  return { suffix: 'xx', note: '' };
}

type Classes = ReadonlyMap<string, readonly string[]>;

function classesOf(file: Fields, say: Say): Classes {
  const classes = new Map<string, readonly string[]>();
  const words = file['words'] ?? {};
  if (!isJsonObject(words)) {
    say(['words'], "'words' must name lists of words");
    return classes;
  }
  for (const [name, list] of Object.entries(words)) {
    const flat: unknown[] = Array.isArray(list) ? list.flat(2) : [];
    if (!CLASS_NAME.test(name)) say(['words', name], `'${name}' must be lower-case-with-dashes`);
    if (flat.length === 0) say(['words', name], `the word class '${name}' is empty`);
    const known = flat.filter((word): word is string => typeof word === 'string' && word !== '');
    if (known.length < flat.length)
      say(['words', name], 'must be a list of texts (quote what YAML would read otherwise)');
    classes.set(name, known.flatMap(spelt));
  }
  return classes;
}

/** `~word` stands for all misspellings of the word, without the word itself. */
function spelt(word: string): readonly string[] {
  return MISSPELT.test(word) ? misspellings(word.slice(1)) : [word];
}

function ideaOf(intent: Fields, path: Path, say: Say): Idea | Fields | null {
  const { idea } = intent;
  if (idea === undefined) return {};
  const known = typeof idea === 'string' && Object.hasOwn(IDEAS, idea) ? IDEAS[idea as keyof typeof IDEAS] : undefined;
  if (known !== undefined) return known;
  say([...path, 'idea'], `'${String(idea)}' is not one of ${Object.keys(IDEAS).join(', ')}`);
  return null;
}

type Expand = (
  written: string,
) => { readonly ok: true; readonly words: readonly string[] } | { ok: false; reason: string };

/**
 * Returns null when a form is wrong, after reporting it. Then nothing that is missing because of it is reported as
 * well.
 */
function entryOf(
  intent: Fields,
  written: Fields,
  language: Language,
  expand: Expand,
  path: Path,
  say: Say,
): Fields | null {
  const { idea: _, forms, ...entry } = intent;
  const { id = written['idea'] } = intent;
  const patterns: string[] = [];
  const near: (readonly string[])[] = [];
  let isSound = true;
  const refuse = (place: Path, message: string): void => {
    isSound = false;
    say(place, message);
  };
  const listed: unknown[] = Array.isArray(forms) ? forms : [];
  if (listed.length === 0) refuse([...path, 'forms'], "'forms' must be a list of at least one form");
  for (const [i, form] of listed.entries()) {
    const place = written['forms'] === undefined ? path : [...path, 'forms', i];
    if (typeof form !== 'string') {
      refuse(place, 'must be a text');
      continue;
    }
    const parts = form.split(APART).map(expand);
    for (const part of parts) if (!part.ok) refuse(place, part.reason);
    const words = parts.flatMap((part) => (part.ok ? [part.words] : []));
    if (words.length < parts.length) continue;
    if (words.length === 1) patterns.push(...words[0]!);
    else if (near.length === 0) near.push(...words);
    else refuse(place, "only one form may have ' ... ' in it: make it an intent of its own");
  }
  if (!isSound) return null;
  return {
    ...entry,
    id: typeof id === 'string' ? `${id}-${language.suffix}` : id,
    name: typeof entry['name'] === 'string' ? `${entry['name']}${language.note}` : entry['name'],
    ...(language.suffix === 'en' ? {} : { language: language.suffix }),
    ...(patterns.length > 0 ? { patterns } : {}),
    ...(near.length > 0 ? { near } : {}),
  };
}

/**
 * Returns a function that expands a part of a form to a list of its alternatives. With a list, the prefilter can look
 * for the words of each alternative separately, and equal lists are compiled once, however many intents use them.
 */
function expanderOf(classes: Classes): Expand {
  const cache = new Map<string, readonly string[]>();

  const filled = (written: string, depth: number): string => {
    if (depth > DEEPEST) throw new Unfit(`word classes stand more than ${DEEPEST} deep in each other`);
    const out = grouped(written)
      .replace(
        NONE_OF_CLASS,
        (all: string, behind: string | undefined, before: string | undefined, at: number, of: string) =>
          behind === undefined
            ? noneBefore(lettersOf(before!, depth), of.slice(at + all.length))
            : noneFollows(lettersOf(behind, depth)),
      )
      .replace(CLASS_IN_FORM, (__, name: string) => `(?:${wordsOf(name, depth).join('|')})`);
    if (out.length > LONGEST_PART) throw new Unfit('becomes too long: use smaller classes, or split it');
    return out;
  };
  const wordsOf = (name: string, depth: number): readonly string[] => {
    const words = classes.get(name);
    if (words === undefined) throw new Unfit(`'{${name}}' is no word class of this file`);
    const known = cache.get(name);
    if (known !== undefined) return known;
    const made = words.map((word) => filled(word, depth + 1));
    cache.set(name, made);
    return made;
  };
  /** Every word of a class letter by letter, each of its classes with each of their words. */
  const lettersOf = (name: string, depth: number): readonly string[] => {
    if (depth > DEEPEST) throw new Unfit(`word classes stand more than ${DEEPEST} deep in each other`);
    const words = classes.get(name);
    if (words === undefined) throw new Unfit(`'{${name}}' is no word class of this file`);
    return words.flatMap((word) => {
      let made: readonly string[] = [''];
      for (const [i, part] of word.split(CLASS_IN_FORM).entries()) {
        const each = i % 2 === 0 ? [part] : lettersOf(part, depth + 1);
        if (made.length * each.length > MOST_REFUSED) throw new Unfit(`'{${name}}' has too many words to refuse`);
        made = made.flatMap((before) => each.map((behind) => before + behind));
      }
      const unfit = made.find((one) => !LETTERS.test(one));
      if (unfit !== undefined) throw new Unfit(`'{${name}}' is refused letter by letter, and '${unfit}' is a pattern`);
      return made;
    });
  };
  return (written) => {
    const alone = /^\{([a-z][^{}]*)\}$/.exec(written);
    try {
      return {
        ok: true,
        words:
          alone === null
            ? alternativesOf(filled(written, 0))
            : wordsOf(alone[1]!, 0).flatMap((word) => alternativesOf(word)),
      };
    } catch (error) {
      if (error instanceof Unfit) return { ok: false, reason: error.message };
      throw error;
    }
  };
}

class Unfit extends Error {}

/**
 * Splits a pattern into alternatives: `(?:a|b)` and `a|b` give two, `(?:a|b) c` gives one. The engine refuses deeper
 * nesting anyway.
 */
function alternativesOf(written: string, level = 0): string[] {
  if (level > DEEPEST_GROUP) return [written];
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  let isGroup = written.startsWith('(?:') && written.endsWith(')');
  for (const { 0: found, index } of written.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|[(|)]/gs)) {
    if (found === '(') depth += 1;
    else if (found === ')') {
      depth -= 1;
      if (depth === 0 && index < written.length - 1) isGroup = false;
    } else if (found === '|' && depth === 0) {
      parts.push(written.slice(from, index));
      from = index + 1;
    }
  }
  if (parts.length > 0) return [...parts, written.slice(from)].flatMap((part) => alternativesOf(part, level + 1));
  return isGroup ? alternativesOf(written.slice(3, -1), level + 1) : [written];
}

/**
 * Turns `(` into `(?:`, because word forms need many groups and no signature may capture: `order(s|ed)? ->
 * order(?:s|ed)?`.
 */
function grouped(written: string): string {
  return written.replace(/\\.|\[(?:\\.|[^\]\\])*\]|\((?!\?)/gs, (found) => (found === '(' ? '(?:' : found));
}
