import { createAutomaton } from './automaton.ts';
import { groupsOf } from './literals.ts';
import type { Literal } from './literals.ts';
import { describeTree } from './pattern-tree.ts';
import type { Atom, Rule } from './ruleset.ts';

/**
 * The first look at a text: which rules have their words there, and where, close enough together. It never decides: a word
 * is less than its pattern. But what it does not see cannot match, and on ordinary text it sees next to nothing.
 */
export interface Glance {
  /** Null when cancelled. */
  readonly look: (bytes: Buffer, chars: number, cancelled: () => boolean) => Sightings | null;
}

/** From byte to byte, in order, not touching. */
export type Ranges = readonly (readonly [from: number, to: number])[];

/** What of a rule was seen: one of its patterns, or its groups. */
export interface Sight {
  readonly rule: Rule;
  readonly what: number | 'near' | 'all';
}

export type Sightings = ReadonlyMap<Sight, Ranges>;

const SLICE = 65_536;
/** Around a word: longer than any pattern that may hold it. */
const MARGIN = 512;
/** A word may stand anywhere in its pattern, and blanks in the text may be longer than in the pattern. */
const SLACK = 64;
const MOST_WIDTH = 96;
/** Wider than that a range is the text: the places in between are not worth their bookkeeping. */
const MOST_RANGES = 64;

/** What a word that was found says. */
interface Meaning {
  readonly sign: number;
  readonly opens: boolean;
  readonly closes: boolean;
  /** Bytes, or 0 when blanks in it may be longer in the text. */
  readonly length: number;
}

/** Signs that must stand together for a rule to be worth asking about. A sign is a group of words of which one was found. */
interface Condition extends Sight {
  readonly signs: readonly number[];
  readonly chars: number;
  readonly slack: number;
}

export function createGlance(
  atoms: readonly Atom[],
  rules: readonly Rule[],
  /** Atoms without any word of their own: only the engine can see them. */
  markBlind: (blind: readonly number[]) => ((bytes: Buffer, present: Uint8Array) => void) | null,
): Glance | null {
  const numbers = new Map<string, number>();
  const meanings: Meaning[][] = [];
  const blind = new Set<number>();
  let signCount = 0;

  const signFor = (literals: readonly Literal[]): number => {
    const sign = signCount;
    signCount += 1;
    for (const { text, opens, closes } of literals) {
      let number = numbers.get(text);
      if (number === undefined) {
        number = meanings.length;
        numbers.set(text, number);
        meanings.push([]);
      }
      meanings[number]!.push({ sign, opens, closes, length: text.includes(' ') ? 0 : Buffer.byteLength(text) });
    }
    return sign;
  };

  /** One sign for an atom with alternatives: each brings its rarest words. Null for a blind one. */
  const signOfAtom = memo((atom: number): number | null => {
    const { tree } = atoms[atom]!;
    const each = (tree.kind === 'choice' ? tree.items : [tree]).map(groupsOf);
    if (each.some((groups) => groups === null)) {
      blind.add(atom);
      return null;
    }
    return signFor(each.flatMap((groups) => groups![0]!));
  });

  const conditions: Condition[] = [];
  const blindOnly: (Sight & { readonly atoms: readonly number[] })[] = [];
  const needsAll: (Sight & { readonly signs: readonly number[]; readonly blind: readonly number[] })[] = [];
  for (const rule of rules) {
    for (const atom of rule.patterns) {
      const { tree } = atoms[atom]!;
      const groups = groupsOf(tree.kind === 'choice' && tree.items.length === 1 ? tree.items[0]! : tree);
      if (groups === null) {
        blind.add(atom);
        blindOnly.push({ rule, what: atom, atoms: [atom] });
      } else {
        conditions.push({
          rule,
          what: atom,
          signs: groups.map(signFor),
          chars: Math.min(describeTree(tree).max, 400),
          slack: SLACK,
        });
      }
    }
    const split = (group: readonly number[]): { signs: number[]; blind: number[] } => {
      const signs = group.map(signOfAtom);
      return {
        signs: signs.filter((sign) => sign !== null),
        blind: group.filter((_, i) => signs[i] === null),
      };
    };
    if (rule.near.length > 0) {
      const { signs, blind: unseen } = split(rule.near);
      if (signs.length === 0) blindOnly.push({ rule, what: 'near', atoms: unseen });
      else
        conditions.push({ rule, what: 'near', signs, chars: rule.span + 2 * widthOf(atoms, rule.near), slack: SLACK });
    }
    if (rule.all.length > 0) needsAll.push({ rule, what: 'all', ...split(rule.all) });
  }
  const automaton = createAutomaton([...numbers.keys()]);
  // Of the rest - a group of a rule that has words in its other groups - the engine is asked where those were found.
  const watched = [...new Set([...blindOnly.flatMap((one) => one.atoms), ...needsAll.flatMap((one) => one.blind)])];
  const mark = markBlind(watched);
  if (mark === null) return null;

  const bySign: Condition[][] = Array.from({ length: signCount }, () => []);
  for (const condition of conditions) for (const sign of condition.signs) bySign[sign]!.push(condition);

  // Of the look that is under way. A look is never interrupted by another, and what is made anew for each costs more than
  // a short text.
  const last = new Float64Array(signCount);
  const present = new Uint8Array(atoms.length);
  let text: Buffer = Buffer.alloc(0);
  let bytesPerChar = 1;
  let sightings = new Map<Sight, [number, number][]>();

  function note(sight: Sight, from: number, to: number): void {
    const ranges = sightings.get(sight);
    if (ranges === undefined) {
      sightings.set(sight, [[from, to]]);
      return;
    }
    const before = ranges[ranges.length - 1]!;
    if (from < before[0]) before[0] = from;
    if (from <= before[1]) before[1] = Math.max(before[1], to);
    else if (ranges.length < MOST_RANGES) ranges.push([from, to]);
    else before[1] = to;
  }

  function found(word: number, end: number): void {
    const says = meanings[word]!;
    for (let m = 0; m < says.length; m += 1) {
      const { sign, opens, closes, length } = says[m]!;
      if (closes && isAscii(text, end)) continue;
      if (opens && length > 0 && isAscii(text, end - length - 1)) continue;
      last[sign] = end;
      const waiting = bySign[sign]!;
      for (let i = 0; i < waiting.length; i += 1) {
        const condition = waiting[i]!;
        const { signs, chars, slack } = condition;
        const least = end - chars * bytesPerChar - slack;
        let oldest = end;
        for (let k = 0; k < signs.length && oldest >= least; k += 1) {
          const seen = last[signs[k]!]!;
          if (seen < oldest) oldest = seen;
        }
        if (oldest >= least) note(condition, oldest - MARGIN, end + MARGIN);
      }
    }
  }

  return {
    look(bytes, chars, cancelled) {
      text = bytes;
      bytesPerChar = chars === 0 ? 1 : bytes.length / chars;
      sightings = new Map();
      last.fill(-Infinity);
      present.fill(0);
      let state = automaton.start;
      for (let from = 0; from < bytes.length; from += SLICE) {
        if (cancelled()) return null;
        const to = Math.min(from + SLICE, bytes.length);
        state = automaton.read(state, bytes, from, to, found);
        if (watched.length > 0) mark(bytes.subarray(Math.max(0, from - MARGIN), to), present);
      }

      const seen = (atom: number): boolean => present[atom] === 1;
      for (const sight of blindOnly) if (sight.atoms.every(seen)) note(sight, 0, bytes.length);
      for (const sight of needsAll) {
        if (sight.signs.every((sign) => last[sign]! >= 0) && sight.blind.every(seen)) note(sight, 0, bytes.length);
      }
      for (const ranges of sightings.values()) for (const range of ranges) widen(range, bytes);
      return sightings;
    },
  };
}

function memo<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, Value>();
  return (key) => {
    if (!made.has(key)) made.set(key, make(key));
    return made.get(key) as Value;
  };
}

function widthOf(atoms: readonly Atom[], group: readonly number[]): number {
  return Math.max(0, ...group.map((atom) => Math.min(MOST_WIDTH, describeTree(atoms[atom]!.tree).max)));
}

/** To the edges of words, so that no cut makes a word of the end of another. */
function widen(range: [number, number], bytes: Buffer): void {
  range[0] = Math.max(0, range[0]);
  range[1] = Math.min(bytes.length, range[1]);
  for (let i = 0; i < 64 && range[0] > 0 && isWord(bytes, range[0] - 1); i += 1) range[0] -= 1;
  for (let i = 0; i < 64 && range[1] < bytes.length && isWord(bytes, range[1]); i += 1) range[1] += 1;
}

/** Letters and digits: RE2 knows only these as parts of words, so only these can keep an edge from being one. */
const ASCII_WORD = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[A-Za-z0-9]/.test(String.fromCharCode(byte)) && byte < 128 ? 1 : 0,
);

function isAscii(bytes: Buffer, at: number): boolean {
  return at >= 0 && at < bytes.length && ASCII_WORD[bytes[at]!] === 1;
}

function isWord(bytes: Buffer, at: number): boolean {
  return bytes[at]! >= 0x80 || bytes[at] === 0x5f || isAscii(bytes, at);
}
