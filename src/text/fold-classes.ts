import { TABLE } from './ascii-look-alikes.ts';
import { eachMember } from './members.ts';
import { VOWEL_SIGNS } from './vowel-signs.ts';

/** What folding does with a character before its look-alike is considered. */
export const KEEP = 0;
export const DROP = 1;
export const MARK = 2;
export const SPACE = 3;

/** U+FDFA becomes 18 characters under NFKC. Nothing that expands this much spells a word, so it counts as a space. */
const MOST_EXPANSION = 4;

const CLASS = classes();

export function classOf(code: number): number {
  if (code < TABLE) return CLASS[code] as number;
  return code >= 0xe0000 && code < 0xe1000 ? DROP : KEEP;
}

function classes(): Uint8Array {
  const table = new Uint8Array(TABLE);
  eachMember(
    TABLE,
    [/\p{M}+/gu, (code) => (table[code] = MARK)],
    [/[\p{Zs}\p{Zl}\p{Zp}\u0085]+/gu, (code) => (table[code] = SPACE)],
    [/[\p{Default_Ignorable_Code_Point}\p{Cc}\ufff9-\ufffd]+/gu, (code) => (table[code] = DROP)],
  );
  // The blank braille pattern is invisible, but no tokenizer treats it as a space. Dropped between words, it becomes a
  // space in the form with gaps (`Folds.spaced`).
  table[0x2800] = DROP;
  table[0x85] = SPACE;
  for (const code of VOWEL_SIGNS) table[code] = DROP;
  table.fill(DROP, 0x00, 0x09);
  table.fill(SPACE, 0x0b, 0x0d);
  table.fill(DROP, 0x0e, 0x1c);
  table.fill(SPACE, 0x1c, 0x20);
  table[0x7f] = DROP;
  for (const [first, last] of [
    [0x2000, 0x33ff],
    [0xfb00, 0xfdff],
    [0x1f100, 0x1f2ff],
  ] as const) {
    for (let code = first; code <= last; code++) {
      if (String.fromCodePoint(code).normalize('NFKC').length > MOST_EXPANSION) table[code] = SPACE;
    }
  }
  return table;
}
