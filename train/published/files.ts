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
const MESSAGE_FILES =
  /(?:i18n|locales?|strings|lang(?:uages?)?|nls|translations?|msg|docs|diagnosticMessages)[^/]*(?:\/.*)?\.json$/i;
const SHORTEST = 200;
/** A longer message is treated as a page. */
const LONGEST_MESSAGE = 400;
const PART_CHARS = 5000;
/** With more than this share of non-ASCII characters, a text counts as being in another language. */
const FOREIGN_SHARE = 0.02;

export function partsOfFile(file: string, source: string): FilePart[] {
  if (!TEXT.test(file) || source.length < SHORTEST || source.includes('\0')) return [];
  const texts = MESSAGE_FILES.test(file) ? messagesIn(source) : cutIntoParts(source);
  return texts
    .filter((text) => text.length >= SHORTEST)
    .map((text) => ({ text, isProse: PROSE.test(file) || MESSAGE_FILES.test(file) || isForeign(text) }));
}

function messagesIn(source: string): string[] {
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch {
    return [];
  }
  const said = stringsIn(value).filter((text) => /\S\s\S/.test(text) || isForeign(text));
  const pages = said.filter((text) => text.length > LONGEST_MESSAGE);
  const lines = said.filter((text) => text.length <= LONGEST_MESSAGE).map((text) => `${text}\n`);
  return [...pages.flatMap(cutIntoParts), ...joinPieces(lines)];
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

export function cutIntoParts(text: string): string[] {
  // A line of minified code can be very long, so pieces are limited.
  const pieces = text.split(/(?<=\n\s*\n)|(?<=\n)(?=#)/).flatMap((piece) => piece.match(/[^]{1,5000}/g) ?? []);
  return joinPieces(pieces);
}

/** Joins pieces to parts of at most PART_CHARS characters, unless a single piece is longer. */
export function joinPieces(pieces: readonly string[]): string[] {
  const parts: string[] = [];
  let part = '';
  for (const piece of pieces) {
    if (part.length + piece.length > PART_CHARS && part.trim() !== '') {
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
