/**
 * Parses a pattern just far enough to judge it (`pattern-shape.ts`) and to write text that nearly matches it
 * (`pattern-sample.ts`). RE2 itself is asked whether the syntax is right; it cannot be asked what a pattern costs.
 */

export type Tree =
  | { readonly kind: 'char'; readonly text: string }
  | { readonly kind: 'blank' }
  | {
      readonly kind: 'set';
      /** Matches most characters, like `[^"]`, `\w` or `.`. */
      readonly wide: boolean;
      /** Stands for whitespace or punctuation, like `\s`, `[-_]` or a dot that `isMark`. */
      readonly blank: boolean;
      /** The members, when there are at most 12: `[sz]` is an s or a z. */
      readonly members: readonly string[] | null;
      /** A character that it matches, for `sampleOf`. */
      readonly sample: string;
    }
  /** A word, or the text, begins or ends here (`\b`, `^`, `$`). For `\B`, `ofWord` is false. */
  | { readonly kind: 'edge'; readonly ofWord: boolean }
  | { readonly kind: 'sequence' | 'choice'; readonly items: readonly Tree[] }
  | { readonly kind: 'repeat'; readonly item: Tree; readonly min: number; readonly max: number };

type Parsed = { readonly ok: true; readonly tree: Tree } | { readonly ok: false; readonly reason: string };

/** Signatures can come from a control plane: the depth is bounded so that reading one cannot overflow the stack. */
const DEEPEST = 12;
const WIDE_ESCAPES = 'wWSDpP';

interface Frame {
  readonly options: Tree[][];
}

function fail(reason: string): Parsed {
  return { ok: false, reason };
}

export function parseTree(source: string): Parsed {
  const stack: Frame[] = [{ options: [[]] }];
  const items = (): Tree[] => (stack.at(-1) as Frame).options.at(-1) as Tree[];
  let i = 0;
  while (i < source.length) {
    const char = String.fromCodePoint(source.codePointAt(i) as number);
    if (char === '(') {
      const look = /^\(\?(?:<?[=!]|>)/.exec(source.slice(i));
      if (look !== null) return fail('uses look-around, which RE2 does not have');
      if (source.startsWith('(?:', i)) i += 3;
      else if (source.startsWith('(?', i)) return fail('uses a flag or named group; write (?:...)');
      else return fail('captures; write (?:...) so that matching stays a single pass');
      stack.push({ options: [[]] });
      if (stack.length > DEEPEST) return fail('is nested too deeply');
      continue;
    }
    if (char === ')') {
      const done = stack.pop() as Frame;
      if (stack.length === 0) return fail('closes a group that was not opened');
      items().push(closed(done));
      i += 1;
      continue;
    }
    if (char === '|') {
      (stack.at(-1) as Frame).options.push([]);
      i += 1;
      continue;
    }
    if ('*+?{'.includes(char)) {
      const count = countAt(source, i);
      if (count !== null) {
        const item = items().pop();
        if (item === undefined) return fail('repeats nothing');
        items().push({ kind: 'repeat', item, min: count.min, max: count.max });
        i = count.end;
        continue;
      }
    }
    if (char === '[') {
      const end = classEnd(source, i);
      if (end < 0) return fail('opens a class that is not closed');
      items().push(setOf(source.slice(i + 1, end)));
      i = end + 1;
      continue;
    }
    if (char === '\\') {
      const escape = escapeAt(source, i);
      if (escape === null) return fail('uses a back-reference, which RE2 does not have');
      items().push(escape.tree);
      i = escape.end;
      continue;
    }
    if (char === '.') items().push(isMark(source, i) ? MARK : { ...MARK, blank: false, sample: 'x' });
    else if (char === '^' || char === '$') items().push({ kind: 'edge', ofWord: true });
    else if (char === ' ') items().push({ kind: 'blank' });
    else items().push({ kind: 'char', text: char });
    i += char.length;
  }
  if (stack.length !== 1) return fail('opens a group that is not closed');
  return { ok: true, tree: closed(stack[0] as Frame) };
}

const MARK: Tree & { kind: 'set' } = { kind: 'set', wide: true, blank: true, members: null, sample: ' ' };

/**
 * Whether a dot stands for one mark: an apostrophe, a hyphen, a blank. It never stands for a letter, which would make
 * another word. A dot that is repeated without a limit (`.*`, `.{2,}`) is a gap and not a mark.
 */
export function isMark(source: string, at: number): boolean {
  return source[at] === '.' && !/^(?:[*+]|\{[0-9]*,\})/.test(source.slice(at + 1, at + 8));
}

function closed(frame: Frame): Tree {
  const options = frame.options.map((items): Tree => ({ kind: 'sequence', items }));
  return options.length === 1 ? (options[0] as Tree) : { kind: 'choice', items: options };
}

/** The quantifier at this place: `*`, `+`, `?`, `{2}`, `{2,}` or `{2,5}`. Null when there is none. */
function countAt(source: string, at: number): { min: number; max: number; end: number } | null {
  const found = /^(?:([*+?])|\{(\d{1,4})(,(\d{0,4}))?\})\??/.exec(source.slice(at, at + 16));
  if (found === null) return null;
  const end = at + found[0].length;
  if (found[1] === '*') return { min: 0, max: Infinity, end };
  if (found[1] === '+') return { min: 1, max: Infinity, end };
  if (found[1] === '?') return { min: 0, max: 1, end };
  const min = Number(found[2]);
  if (found[3] === undefined) return { min, max: min, end };
  return { min, max: found[4] === '' ? Infinity : Number(found[4]), end };
}

/** The index of the `]` that closes the class opened at `at`; -1 when it is missing. */
export function classEnd(source: string, at: number): number {
  let i = at + 1;
  if (source[i] === '^') i += 1;
  if (source[i] === ']') i += 1;
  for (; i < source.length; i++) {
    if (source[i] === '\\') i += 1;
    else if (source[i] === ']') return i;
  }
  return -1;
}

/** Whether a class that is not negated has only ASCII whitespace and punctuation in it, also between two ends (`!-~`). */
function isOfMarks(body: string): boolean {
  if (!/^(?:\\[snrt]|\\[^A-Za-z0-9]|[^A-Za-z0-9\\\u{80}-\u{10ffff}])+$/u.test(body)) return false;
  // An escaped hyphen makes no range: any other mark stands for it.
  const marks = body
    .replace(/\\[snrt]/g, ' ')
    .replaceAll('\\-', '!')
    .replace(/\\(.)/g, '$1');
  return ![...marks.matchAll(/([^])-([^])/g)].some(([, first, last]) =>
    LETTERS.some((one) => first! < one && one < last!),
  );
}

/** One of each row of letters and digits: a range between two marks that holds one of them holds them all. */
const LETTERS = ['0', 'A', 'a'];

function setOf(body: string): Tree {
  const wide = body.startsWith('^') || /\\[wWSDpP]/.test(body);
  const blank = !wide && isOfMarks(body);
  const plain = /[^\\^\-\]]/u.exec(body.replace(/\\[A-Za-z]/g, ''));
  const listed = /^[^\\^\-\]]{1,12}$/u.test(body) ? [...body] : null;
  return { kind: 'set', wide, blank, members: listed, sample: wide ? 'x' : (plain?.[0] ?? ' ') };
}

function escapeAt(source: string, at: number): { tree: Tree; end: number } | null {
  const letter = source[at + 1] ?? '';
  if (/[1-9k]/.test(letter)) return null;
  if (letter === 'b' || letter === 'B' || letter === 'A' || letter === 'z')
    return { tree: { kind: 'edge', ofWord: letter !== 'B' }, end: at + 2 };
  if (letter === 's')
    return { tree: { kind: 'set', wide: false, blank: true, members: null, sample: ' ' }, end: at + 2 };
  if (letter === 'd')
    return { tree: { kind: 'set', wide: false, blank: false, members: null, sample: '7' }, end: at + 2 };
  const numbered = /^\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|[ux]\{([0-9a-fA-F]{1,6})\})/.exec(
    source.slice(at, at + 12),
  );
  if (numbered !== null) {
    const text = String.fromCodePoint(Number.parseInt(numbered[1] ?? numbered[2] ?? (numbered[3] as string), 16));
    return { tree: { kind: 'char', text }, end: at + numbered[0].length };
  }
  if (WIDE_ESCAPES.includes(letter)) {
    const property = /^\\[pP](?:\{[^}]{1,40}\}|[A-Z])/.exec(source.slice(at, at + 48));
    const end = property === null ? at + 2 : at + property[0].length;
    return { tree: { kind: 'set', wide: true, blank: false, members: null, sample: 'x' }, end };
  }
  const control = { n: '\n', r: '\r', t: '\t' }[letter];
  return { tree: { kind: 'char', text: control ?? letter }, end: at + 2 };
}
