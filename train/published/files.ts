/** What an agent meets that reads the files of a project: manuals, pages, source, and what a program says in other tongues. */
export interface FilePart {
  readonly text: string;
  /** Prose, or the words of a program: few packages have any, and all have code. */
  readonly isProse: boolean;
}

const TEXT = /\.(?:md|mdx|txt|rst|html?|css|scss|less|svg|xml|ya?ml|json|po|hbs|vue|svelte|[cm]?[jt]sx?)$/i;
const PROSE = /\.(?:md|mdx|txt|rst|html?)$/i;
/** Where programs keep what they say. */
const SAYINGS =
  /(?:i18n|locales?|strings|lang(?:uages?)?|nls|translations?|msg|docs|diagnosticMessages)[^/]*(?:\/.*)?\.json$/i;
const SHORTEST = 200;
/** Longer, a saying is a page. */
const LONGEST_SAYING = 400;
const PART = 5000;
/** Beyond ASCII, it is in another tongue. */
const FOREIGN_SHARE = 0.02;

export function partsOfFile(file: string, source: string): FilePart[] {
  if (!TEXT.test(file) || source.length < SHORTEST || source.includes('\0')) return [];
  const texts = SAYINGS.test(file) ? sayingsIn(source) : cut(source);
  return texts
    .filter((text) => text.length >= SHORTEST)
    .map((text) => ({ text, isProse: PROSE.test(file) || SAYINGS.test(file) || isForeign(text) }));
}

function sayingsIn(source: string): string[] {
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch {
    return [];
  }
  const said = leaves(value).filter((text) => /\S\s\S/.test(text) || isForeign(text));
  const pages = said.filter((text) => text.length > LONGEST_SAYING);
  const lines = said.filter((text) => text.length <= LONGEST_SAYING).map((text) => `${text}\n`);
  return [...pages.flatMap(cut), ...together(lines)];
}

function leaves(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [];
}

export function cut(text: string): string[] {
  // A line of minified code is as long as a book.
  const pieces = text.split(/(?<=\n\s*\n)|(?<=\n)(?=#)/).flatMap((piece) => piece.match(/[^]{1,5000}/g) ?? []);
  return together(pieces);
}

/** One behind the other, as many as make a part. */
export function together(pieces: readonly string[]): string[] {
  const parts: string[] = [];
  let part = '';
  for (const piece of pieces) {
    if (part.length + piece.length > PART && part.trim() !== '') {
      parts.push(part);
      part = '';
    }
    part += piece;
  }
  return part.trim() === '' ? parts : [...parts, part];
}

function isForeign(text: string): boolean {
  return (text.match(/[^\x00-\x7f]/g)?.length ?? 0) > text.length * FOREIGN_SHARE;
}
