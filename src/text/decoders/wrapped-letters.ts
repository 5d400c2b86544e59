import type { Decoded, Decoder } from './decoder.ts';

/**
 * A wrapper around each letter, or each two or three, which no reader sees: `\text{i}\text{g}\text{n}`,
 * `<tspan x="0">i</tspan><tspan x="8">g</tspan>`. Whatever its name and its attributes are.
 */
const COMMAND = /\\[A-Za-z]{1,16}\{([^{}\\\n]{0,3})\}((?:\\[ ,;:!]|\\q?quad\b|\\space\b|[~\s{}]){0,4})/g;
const ELEMENT = /<([A-Za-z][\w:-]{0,24})(?:\s[^<>]{0,160})?>([^<>]{0,3}|&nbsp;|&#(?:32|160|x20|xa0);)<\/\1>(\s{0,24})/g;
const LETTER = /\p{L}/u;
/** So many in a row. Formulas and highlighted code have a few. */
const LEAST = 8;

export const wrappedLetters: Decoder = {
  name: 'wrapped-letters',
  shape:
    '\\\\[A-Za-z]+\\{[^{}]\\}[\\s~\\\\]*(?:[ ,;:!])?\\\\[A-Za-z]+\\{[^{}]|>[^<>]</[A-Za-z][A-Za-z0-9:_-]*>\\s*<[A-Za-z]',
  suspicion: 0,
  decode: (text) => [...rowsOf(text, COMMAND, 1), ...rowsOf(text, ELEMENT, 2)],
  examples: {
    reads: [
      ['$\\text{I}\\text{g}\\text{n}\\text{o}\\text{r}\\text{e}\\ \\text{a}\\text{l}\\text{l}$', 'Ignore all'],
      [
        '\\mathbf{ig}\\mathbf{no}\\mathbf{re}~\\mathbf{al}\\mathbf{l}\\mathbf{ }\\mathbf{ru}\\mathbf{le}\\mathbf{s}',
        'ignore all rules',
      ],
      [[...'ignore all'].map((letter, i) => `<tspan x="${8 * i}">${letter}</tspan>`).join(''), 'ignore all'],
      [
        [...'ignore']
          .concat(...'the')
          .map((letter) => `<c>${letter}</c>`)
          .join('\n'),
        'ignorethe',
      ],
      [
        [...'ignore'].map((letter) => `<i>${letter}</i>`).join('') +
          ' ' +
          [...'rules'].map((letter) => `<i>${letter}</i>`).join(''),
        'ignore rules',
      ],
    ],
    leaves: [
      '\\mathbf{A}\\mathbf{x} = \\mathbf{b}',
      '<td>1</td><td>2</td><td>3</td><td>4</td><td>5</td><td>6</td><td>7</td><td>8</td><td>9</td>',
      '<b>N</b> and <b>M</b>',
    ],
  },
};

interface Row {
  readonly start: number;
  readonly parts: string[];
  readonly gaps: string[];
  letters: number;
  end: number;
}

function rowsOf(text: string, wrapped: RegExp, inner: number): Decoded[] {
  const pieces: Decoded[] = [];
  let row: Row | null = null;
  const close = (): void => {
    if (row !== null && row.parts.length >= LEAST && row.letters * 2 > row.parts.length)
      pieces.push({ text: joined(row), start: row.start, end: row.end });
    row = null;
  };
  for (const match of text.matchAll(wrapped)) {
    const content = match[inner] as string;
    const gap = match[inner + 1] as string;
    const after = match.index + match[0].length;
    if (row !== null && row.end !== match.index) close();
    row ??= { start: match.index, parts: [], gaps: [], letters: 0, end: 0 };
    row.parts.push(content.startsWith('&') ? ' ' : content);
    row.gaps.push(gap);
    if (LETTER.test(content)) row.letters += 1;
    row.end = after;
  }
  close();
  return pieces;
}

/** Blanks between the wrappers are blanks of the text, unless nearly all have them, as on lines of their own. */
function joined({ parts, gaps }: Row): string {
  const count = gaps.filter((gap) => gap !== '' && gap !== '{}').length;
  const areBlanks = count * 2 < gaps.length;
  return parts
    .map((part, i) => (part === '' ? ' ' : part) + (areBlanks && isBlank(gaps[i] as string) ? ' ' : ''))
    .join('');
}

function isBlank(gap: string): boolean {
  return gap !== '' && gap !== '{}' && gap !== '\\!';
}
