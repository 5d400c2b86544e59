import { FOREIGN_WORDS } from './foreign-words.ts';

/**
 * The words by which disguised English is told from noise. This is not a dictionary. It holds the most common words, to
 * find where one word ends and the next begins in letters without spaces, and the words that attacks cannot do without.
 */
const COMMON = `
a about above after again all also always am an and another any anything are as ask at be because been before begin being
below best both but by can come could day did do does done down each end ever every everything example fact few find
first follow following for from full get give go good had has have he hello help her here him his how i if in instead
into is it its just keep know last let like list little long look made make many may me mean more most much must my
name need never new no none not nothing now of off ok old on once one only open or other our out over own part people
place please point put question read really right said same say see send set she should show simply since so some start
step still stop such take tell than that the their them then there these they thing things think this those through time to
told too true try turn two under until up upon us use user very want was way we well were what when where which while who why will with
within without word words work world would write yes yet you your yourself output input text message messages
hidden secret secrets password passwords passcode key keys token tokens credential credentials api code codes confidential private internal
ignore disregard forget bypass override overwrite skip cancel previous prior preceding earlier instruction instructions
directive directives command commands order orders rule rules guideline guidelines policy policies restriction restrictions
restricted limit limits limitation limitations filter filters safety security guardrail guardrails system systems prompt prompts developer
administrator admin root mode model assistant role persona character chatbot language conversation context original initial
reveal print repeat display disclose leak expose share translate decode encode encoded execute run answer respond response reply
pretend act imagine roleplay simulate unrestricted uncensored unfiltered jailbreak jailbroken ethics ethical moral illegal
harmful dangerous malicious warning refuse refusal content document documents email data database file files delete information
account access bank money card credit number address phone weapon bomb drug drugs virus malware hack hacker kill poison
anything attack exploit phishing steal exact exactly verbatim entire complete completely everyone following task tasks
ai obey enable enabled disable disabled line lines block including called longer apply applies evil refuses refusals request requests
warnings disclaimer disclaimers censorship matter leave starting forward unlock comply dan being omega called
explain describe create teach build provide generate develop someone detailed steps free
`;

export const ENGLISH_WORDS: readonly string[] = COMMON.split(/\s+/).filter((word) => word.length > 0);

const WORDS: ReadonlySet<string> = new Set([...ENGLISH_WORDS, ...FOREIGN_WORDS]);

export function isWord(word: string): boolean {
  return WORDS.has(word.toLowerCase());
}

/**
 * A trie in one array: a walk costs one lookup per letter, where a set of strings would have to hash every possible
 * slice.
 */
export const LETTERS = 27;
export const TRIE = trieOf(WORDS);

/**
 * Builds a trie as rows of 27 entries: for each letter the row it leads to, and in the last entry whether a word ends
 * here. Lowercase ASCII words only.
 */
export function trieOf(words: Iterable<string>): Uint16Array {
  const nodes: number[] = Array.from<number>({ length: LETTERS }).fill(0);
  for (const word of words) {
    let node = 0;
    for (let i = 0; i < word.length; i++) {
      const slot = node * LETTERS + word.charCodeAt(i) - 97;
      if (nodes[slot] === 0) {
        nodes[slot] = nodes.length / LETTERS;
        for (let j = 0; j < LETTERS; j++) nodes.push(0);
      }
      node = nodes[slot] as number;
    }
    nodes[node * LETTERS + 26] = 1;
  }
  return Uint16Array.from(nodes);
}

/** For each character code the letter it stands for, counted from 1; 0 if it stands for none. */
export type Letters = Uint8Array;

export const PLAIN_LETTERS: Letters = Uint8Array.from({ length: 128 }, (_, unit) => {
  const letter = (unit | 32) - 96;
  return unit >= 65 && letter >= 1 && letter <= 26 ? letter : 0;
});

/** Whether the characters spell a word, each taken for its letter in `letters`. The code unit `skipped` is ignored. */
export function isWordIn(
  units: Uint16Array,
  start: number,
  end: number,
  letters: Letters = PLAIN_LETTERS,
  skipped = -1,
): boolean {
  let node = 0;
  for (let i = start; i < end; i++) {
    const unit = units[i] as number;
    if (unit === skipped) continue;
    const letter = letters[unit] ?? 0;
    if (letter === 0) return false;
    node = TRIE[node * LETTERS + letter - 1] as number;
    if (node === 0) return false;
  }
  return node !== 0 && isEndOfWord(node);
}

/**
 * Like `isWordIn`, but a symbol may stand for either of two letters (`one`, `other`). Tries both and stops at the first
 * combination that is a word of `trie`, whose letters are written into `out` in place of the symbols. A branch ends as
 * soon as no word continues with it, mostly at the third letter.
 */
export function isWordEither(
  units: Uint16Array,
  start: number,
  end: number,
  one: Letters,
  other: Letters,
  out: Uint16Array | null = null,
  from = 0,
  trie: Uint16Array = TRIE,
): boolean {
  let node = from;
  for (let i = start; i < end; i++) {
    const unit = units[i] as number;
    const first = one[unit] ?? 0;
    const second = other[unit] ?? 0;
    if (first !== second) {
      for (let way = 0; way < 2; way++) {
        const letter = way === 0 ? first : second;
        const next = letter === 0 ? 0 : (trie[node * LETTERS + letter - 1] as number);
        if (next === 0 || !isWordEither(units, i + 1, end, one, other, out, next, trie)) continue;
        if (out !== null) {
          writeSigns(units, start, i, one, out);
          out[i] = 96 + letter;
        }
        return true;
      }
      return false;
    }
    if (first === 0) return false;
    node = trie[node * LETTERS + first - 1] as number;
    if (node === 0) return false;
  }
  if (node === 0 || trie[node * LETTERS + 26] !== 1) return false;
  if (out !== null) writeSigns(units, start, end, one, out);
  return true;
}

/** Writes the letters that symbols stand for into `out`. Plain letters are not written. */
function writeSigns(units: Uint16Array, start: number, end: number, letters: Letters, out: Uint16Array): void {
  for (let i = start; i < end; i++) {
    const unit = units[i] as number;
    if (PLAIN_LETTERS[unit] === 0) out[i] = 96 + (letters[unit] as number);
  }
}

/**
 * One step of a walk through the trie, starting at node 0: the node that this letter leads to, or 0 if no word
 * continues with it.
 */
export function nextNode(node: number, unit: number): number {
  const letter = PLAIN_LETTERS[unit] ?? 0;
  return letter === 0 ? 0 : (TRIE[node * LETTERS + letter - 1] as number);
}

export function isEndOfWord(node: number): boolean {
  return TRIE[node * LETTERS + 26] === 1;
}

/**
 * The cost of a letter outside every word. It costs more than a whole word, so the fewest and longest words that cover
 * most letters win.
 */
const STRAY = 2;

/** Reused tables: most words are short, and allocating two tables for each would cost more than the walk. */
const COST = new Uint32Array(4097);
const STEP = new Uint8Array(4097);

/**
 * Splits letters without spaces into words: `ignoreallprevious` -> `ignore all previous`. Letters that belong to no
 * word stay together. ASCII letters only.
 */
export function spaced(letters: string): string {
  const n = letters.length;
  const cost = n < COST.length ? COST : new Uint32Array(n + 1);
  const step = n < STEP.length ? STEP : new Uint8Array(n + 1);
  cost[n] = 0;
  for (let i = n - 1; i >= 0; i--) {
    cost[i] = (cost[i + 1] as number) + STRAY;
    step[i] = 0;
    let node = 0;
    for (let j = i; j < n; j++) {
      const letter = (letters.charCodeAt(j) | 32) - 97;
      if (letter < 0 || letter > 25) break;
      node = TRIE[node * LETTERS + letter] as number;
      if (node === 0) break;
      if (!isEndOfWord(node)) continue;
      const through = (cost[j + 1] as number) + 1;
      if (through <= (cost[i] as number)) {
        cost[i] = through;
        step[i] = j + 1 - i;
      }
    }
  }
  const out: string[] = [];
  let stray = 0;
  for (let i = 0; i < n;) {
    const length = step[i] as number;
    if (length === 0) {
      i += 1;
      stray += 1;
      continue;
    }
    if (stray > 0) out.push(letters.slice(i - stray, i));
    stray = 0;
    out.push(letters.slice(i, i + length));
    i += length;
  }
  if (stray > 0) out.push(letters.slice(n - stray));
  return out.join(' ');
}
