import { describeTree } from './pattern-tree.ts';
import type { Tree } from './pattern-tree.ts';

/**
 * Which plain words a pattern cannot match without. A text in which none of them occurs is not worth asking RE2 about,
 * and finding words costs the same on every text. Written as the automaton reads: lower case, a run of blanks and
 * punctuation as one space.
 */
export interface Literal {
  readonly text: string;
  /** The character before it, or after it, is no ASCII letter or digit: the literal is the whole of its pattern. */
  readonly opens: boolean;
  readonly closes: boolean;
}

/** Beyond this many ways to write it, the parts of a pattern are looked at one by one. */
const MOST_WAYS = 24;
const LONGEST = 28;
/** Two letters of a Latin script stand in every other word; by themselves they are a word. A Chinese character has three bytes. */
const LEAST_BYTES = 3;
const LEAST_WORD = 2;

/** Of each group one word must stand in the text, and all of them within the length of the pattern. */
export type Groups = readonly (readonly Literal[])[];

/** More groups would hardly rule out more texts. */
const MOST_GROUPS = 3;

/** Null when there is no such word: then only RE2 can tell. */
export function groupsOf(tree: Tree): Groups | null {
  const { first, last } = describeTree(tree);
  // The edge of a word is like a blank there: what is next to it is the beginning, or the end, of a word.
  const items = tree.kind === 'sequence' ? tree.items : [tree];
  const { parts } = oneAfterTheOther([...(first ? [BLANK] : []), ...items.map(waysOf), ...(last ? [BLANK] : [])]);
  const groups = [...parts].sort((a, b) => rarity(b) - rarity(a)).slice(0, MOST_GROUPS);
  return groups.length === 0 ? null : groups.map((group) => group.map(literal));
}

/** A blank at its edge is an edge of a word. */
function literal(text: string): Literal {
  const trimmed = text.trim();
  return {
    text: trimmed.slice(0, LONGEST),
    opens: text.startsWith(' '),
    closes: text.endsWith(' ') && trimmed.length <= LONGEST,
  };
}

interface Ways {
  /** Everything that it can match; null when that is too much to list. */
  readonly exact: readonly string[] | null;
  /** One of each stands in everything that it matches. */
  readonly parts: readonly (readonly string[])[];
  /** Whatever it matches ends in a blank, or is nothing: what follows begins a word if it did so before. */
  readonly toBlank: boolean;
}

const UNKNOWN: Ways = { exact: null, parts: [], toBlank: false };

function all(exact: readonly string[]): Ways {
  return {
    exact,
    parts: isUseful(exact) ? [exact] : [],
    toBlank: exact.every((text) => text === '' || text.endsWith(' ')),
  };
}

const BLANK = all([' ']);

/** Recursion is safe: parseTree bounded the depth, and signatures are not sent by clients. */
function waysOf(tree: Tree): Ways {
  switch (tree.kind) {
    case 'edge':
      return all(['']);
    case 'blank':
      return BLANK;
    case 'char':
      return letter(tree.text);
    case 'set':
      return UNKNOWN;
    case 'choice':
      return eitherOf(tree.items.map(waysOf));
    case 'sequence':
      return oneAfterTheOther(tree.items.map(waysOf));
    case 'repeat': {
      const one = waysOf(tree.item);
      if (tree.max === 1) return tree.min === 1 ? one : optional(one);
      return { exact: null, parts: tree.min === 0 ? [] : one.parts, toBlank: one.toBlank };
    }
  }
}

/** Any mark that is no letter and no digit is a blank to the automaton. */
function letter(char: string): Ways {
  if (/^[\x00-\x7f]$/.test(char)) return all([/[A-Za-z0-9]/.test(char) ? char.toLowerCase() : ' ']);
  return all(unique([char, char.toLowerCase(), char.toUpperCase()]));
}

function optional({ exact, toBlank }: Ways): Ways {
  return exact === null || exact.length >= MOST_WAYS ? { exact: null, parts: [], toBlank } : all(['', ...exact]);
}

function eitherOf(items: readonly Ways[]): Ways {
  const exact = items.every((item) => item.exact !== null) ? unique(items.flatMap((item) => item.exact!)) : null;
  if (exact !== null && exact.length <= MOST_WAYS * items.length) return all(exact);
  // Whichever it is, it brings a word of its own.
  const each = items.map(({ parts }) =>
    parts.length === 0 ? null : parts.reduce((a, b) => (rarity(b) > rarity(a) ? b : a)),
  );
  return {
    exact: null,
    parts: each.every((one) => one !== null) ? [unique(each.flat())] : [],
    toBlank: items.every((item) => item.toBlank),
  };
}

function oneAfterTheOther(items: readonly Ways[]): Ways {
  const parts: (readonly string[])[] = [];
  let run: readonly string[] = [''];
  let whole = true;
  for (const { exact, parts: inside, toBlank } of items) {
    if (exact !== null && run.length * exact.length <= MOST_WAYS) {
      run = unique(run.flatMap((before) => exact.map((after) => close(before + after))));
      continue;
    }
    parts.push(run);
    const afterBlank = run.every((text) => text.endsWith(' '));
    if (exact === null) parts.push(...inside);
    const edge = afterBlank && (exact !== null || toBlank) ? ' ' : '';
    run = (exact ?? ['']).map((text) => close(edge + text));
    whole = false;
  }
  if (whole) return all(run);
  return { exact: null, parts: [...parts, run].filter(isUseful), toBlank: items.at(-1)?.toBlank ?? false };
}

/** Two blanks that meet are one. */
function close(text: string): string {
  return text.replace(/ {2,}/g, ' ');
}

function isUseful(texts: readonly string[]): boolean {
  return (
    texts.length > 0 &&
    texts.every((text) => Buffer.byteLength(text.trim()) >= (isWhole(text) ? LEAST_WORD : LEAST_BYTES))
  );
}

function isWhole(text: string): boolean {
  return text.startsWith(' ') && text.endsWith(' ');
}

/** The longer the shortest of them, the fewer texts hold it. */
function rarity(texts: readonly string[]): number {
  return Math.min(...texts.map((text) => Buffer.byteLength(text.trim()))) - texts.length / 100;
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
