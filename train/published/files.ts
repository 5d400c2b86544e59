/**
 * A part of a file that an agent may read in a project: manuals, pages, source, and messages of programs in other
 * languages.
 */
export interface FilePart {
  readonly text: string;
  /** Whether it is prose or messages of a program. Few packages have any of these, and all have code. */
  readonly isProse: boolean;
}

const TEXT = /\.(?:md|mdx|txt|rst|html?|css|scss|less|svg|xml|ya?ml|json|po|hbs|vue|svelte|[cm]?[jt]sx?)$/i;
const PROSE = /\.(?:md|mdx|txt|rst|html?)$/i;
/** Files in which programs keep their messages. */
const SAYINGS =
  /(?:i18n|locales?|strings|lang(?:uages?)?|nls|translations?|msg|docs|diagnosticMessages)[^/]*(?:\/.*)?\.json$/i;
const SHORTEST = 200;
/** A longer message is treated as a page. */
const LONGEST_SAYING = 400;
const PART = 5000;
/** With more than this share of non-ASCII characters, a text counts as being in another language. */
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
  // A line of minified code can be very long, so pieces are limited.
  const pieces = text.split(/(?<=\n\s*\n)|(?<=\n)(?=#)/).flatMap((piece) => piece.match(/[^]{1,5000}/g) ?? []);
  return together(pieces);
}

/** Joins pieces to parts of at most PART characters, unless a single piece is longer. */
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
