/** X1 to X11: the text stays readable to the eye, and is other characters. */
import type { Encoder } from './encoders.ts';
import { pick, seeded, seedOf } from './seeded.ts';

const ASCII_LETTER = /[A-Za-z]/;

function look(
  row: string,
  name: string,
  encode: (text: string) => string,
  carries: Encoder['carries'] = 'anything',
): Encoder {
  return { row, name, carries, gives: 'anything', encode };
}

const each = (text: string, change: (char: string, at: number) => string): string =>
  [...text].map((char, at) => change(char, at)).join('');

/** Between the letters of a word, where a filter that looks for the word stumbles. */
const between = (text: string, filler: (at: number) => string): string => {
  const chars = [...text];
  return chars
    .map((char, at) => (/\s/.test(char) || /\s/.test(chars[at + 1] ?? ' ') ? char : char + filler(at)))
    .join('');
};

const mixed = (text: string, fillers: readonly string[]): string => {
  const random = seeded(seedOf(text));
  return between(text, () => pick(random, fillers));
};

/** Letters of one block of Unicode in the order of the alphabet; what the block lacks stays. */
const block = (upper: number | null, lower: number | null, holes: Readonly<Record<string, string>> = {}) => {
  const map = (char: string): string => {
    const hole = holes[char];
    if (hole !== undefined) return hole;
    const unit = char.charCodeAt(0);
    if (upper !== null && unit >= 65 && unit <= 90) return String.fromCodePoint(upper + unit - 65);
    if (lower !== null && unit >= 97 && unit <= 122) return String.fromCodePoint(lower + unit - 97);
    return char;
  };
  return (text: string): string => each(text, map);
};

const table = (from: string, to: string) => {
  const glyphs = [...to];
  const map = new Map([...from].map((char, at) => [char, glyphs[at] as string]));
  return (text: string): string => each(text, (char) => map.get(char) ?? char);
};

const ABC = 'abcdefghijklmnopqrstuvwxyz';
const CYRILLIC = table('aceijopsxyABCEHIJKMOPSTXY', 'асеіјорѕхуАВСЕНІЈКМОРЅТХУ');
const GREEK = table('ioavunABEZHIKMNOPTYX', 'ιοανυηΑΒΕΖΗΙΚΜΝΟΡΤΥΧ');
const MANY_SCRIPTS = table('aceghijlnopqsuvwxyDEGILMPRSTVW', 'аϲеɡһіјӏոοрզѕսνԝхуᎠᎬᏀІᏞᎷᏢᎡᏚᎢᏙᎳ');
const SMALL_CAPS = table(ABC, 'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘǫʀꜱᴛᴜᴠᴡxʏᴢ');
const SUPERSCRIPT = table(ABC, 'ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖqʳˢᵗᵘᵛʷˣʸᶻ');
const ACCENTED = table('aceinouyAEIOU', 'àçéïñöüýÂÊÎÔÛ');
const SCRIPT_HOLES = { B: 'ℬ', E: 'ℰ', F: 'ℱ', H: 'ℋ', I: 'ℐ', L: 'ℒ', M: 'ℳ', R: 'ℛ', e: 'ℯ', g: 'ℊ', o: 'ℴ' };
const FRAKTUR_HOLES = { C: 'ℭ', H: 'ℌ', I: 'ℑ', R: 'ℜ', Z: 'ℨ' };
const DOUBLE_HOLES = { C: 'ℂ', H: 'ℍ', N: 'ℕ', P: 'ℙ', Q: 'ℚ', R: 'ℝ', Z: 'ℤ' };

const fullWidth = (text: string): string =>
  each(text, (char) =>
    char === ' ' ? '\u3000' : /[!-~]/.test(char) ? String.fromCharCode(char.charCodeAt(0) + 0xfee0) : char,
  );

const zalgo = (text: string): string => {
  const random = seeded(seedOf(text));
  const marks = () =>
    Array.from({ length: 8 }, () => String.fromCharCode(0x300 + Math.floor(random() * 0x70))).join('');
  return each(text, (char) => (ASCII_LETTER.test(char) ? char + marks() : char));
};

const spaces = (text: string, kinds: readonly string[]): string => {
  let at = 0;
  return text.replaceAll(' ', () => kinds[at++ % kinds.length] as string);
};

const LIGHT_LEET = table('aeoAEO', '430430');
const LEET = table('abegilostzABEGILOSTZ', '483611057248361105 72'.replace(' ', ''));
const SYMBOL_LEET = table('aeiostAEIOST', '@3!0$+@3!0$+');

const words = (text: string): string[] => text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
const letterByLetter = (text: string, apart: string, words: string): string =>
  text
    .split(' ')
    .map((word) => [...word].join(apart))
    .join(words);

export const LOOK_ENCODERS: readonly Encoder[] = [
  look('X1', 'zero-width spaces', (text) => between(text, () => '\u200b')),
  look('X1', 'zero-width joiners', (text) => between(text, () => '\u200d')),
  look('X1', 'soft hyphens', (text) => between(text, () => '\u00ad')),
  look('X1', 'Hangul fillers', (text) => between(text, (at) => (at % 2 === 0 ? '\u3164' : '\uffa0'))),
  look('X1', 'invisible characters mixed', (text) =>
    mixed(text, [
      '\u200b',
      '\u200c',
      '\u200d',
      '\u2060',
      '\ufeff',
      '\u00ad',
      '\u180e',
      '\u2062',
      '\u2064',
      '\u034f',
      '\u115f',
    ]),
  ),
  look('X1', 'braille blanks', (text) => between(text, () => '\u2800')),
  look('X2', 'right-to-left override', (text) => `\u202e${[...text].reverse().join('')}\u202c`),
  look('X2', 'override word by word', (text) =>
    text.replace(/\S+/g, (word) => `\u202e${[...word].reverse().join('')}\u202c`),
  ),
  look('X2', 'marks and isolates sprinkled', (text) =>
    mixed(text, ['\u200e', '\u2066\u2069', '\u202a\u202c', '\u061c']),
  ),
  look('X3', 'one mark on every letter', (text) =>
    each(text, (char) => (ASCII_LETTER.test(char) ? `${char}\u0301` : char)),
  ),
  look('X3', 'struck through', (text) => each(text, (char) => `${char}\u0336`)),
  look('X3', 'zalgo', zalgo),
  look('X3', 'accented letters', ACCENTED, 'words'),
  look('X5', 'a variation selector after every letter', (text) => between(text, () => '\ufe0f')),
  look('X6', 'Cyrillic letters', CYRILLIC),
  look('X6', 'Greek letters', GREEK, 'words'),
  look('X6', 'letters of many scripts', MANY_SCRIPTS, 'words'),
  look('X7', 'full-width', fullWidth),
  look('X7', 'mathematical bold', block(0x1d400, 0x1d41a)),
  look('X7', 'mathematical script', block(0x1d49c, 0x1d4b6, SCRIPT_HOLES)),
  look('X7', 'Fraktur', block(0x1d504, 0x1d51e, FRAKTUR_HOLES)),
  look('X7', 'double-struck', block(0x1d538, 0x1d552, DOUBLE_HOLES)),
  look('X7', 'monospace', block(0x1d670, 0x1d68a)),
  look('X7', 'circled', block(0x24b6, 0x24d0)),
  look('X7', 'parenthesised', (text) => block(null, 0x249c)(text.toLowerCase()), 'words'),
  look('X7', 'negative squares', (text) => block(0x1f170, null)(text.toUpperCase()), 'words'),
  look('X7', 'small capitals', (text) => SMALL_CAPS(text.toLowerCase()), 'words'),
  look('X7', 'superscript', (text) => SUPERSCRIPT(text.toLowerCase()), 'words'),
  look('X8', 'no-break spaces', (text) => spaces(text, ['\u00a0'])),
  look('X8', 'em, thin and ideographic spaces', (text) =>
    spaces(text, ['\u2003', '\u2009', '\u3000', '\u205f', '\u1680']),
  ),
  look('X8', 'vertical tabs and next lines', (text) => spaces(text, ['\v', '\u0085', '\f', '\u2028', '\u2029'])),
  look('X8', 'runs of blanks between words', (text) => spaces(text, ['   \t ', '\n\n', ' \r\n '])),
  look('X9', 'accented letters glued to words', (text) => text.replace(/[A-Za-z]{4,}/g, 'é$&é'), 'words'),
  look(
    'X9',
    'camel case',
    (text) =>
      words(text)
        .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
        .join(''),
    'words',
  ),
  look('X9', 'emoji inside words', (text) => mixed(text, ['😀', '', '', '❤️', '', '', '✨', ''])),
  look('X9', 'spaces one letter early', (text) => text.replace(/([a-z]) (?=[a-z])/gi, ' $1'), 'words'),
  look('X9', 'QQ for spaces', (text) => text.replaceAll(' ', 'QQ'), 'words'),
  look('X9', 'underscores for spaces', (text) => text.replaceAll(' ', '_')),
  look('X9', 'no spaces', (text) => text.replaceAll(' ', ''), 'words'),
  look(
    'X9',
    'alternating case',
    (text) => each(text, (char, at) => (at % 2 === 0 ? char.toLowerCase() : char.toUpperCase())),
    'words',
  ),
  look('X10', 'light leet', LIGHT_LEET, 'words'),
  look('X10', 'leet', LEET, 'words'),
  look('X10', 'leet with symbols', SYMBOL_LEET, 'words'),
  look('X11', 'spaced letters', (text) => letterByLetter(text, ' ', '   ')),
  look(
    'X11',
    'spaced letters without word gaps',
    (text) => letterByLetter(text.replaceAll(/[^A-Za-z ]/g, ''), ' ', ' '),
    'words',
  ),
  look('X11', 'dotted letters', (text) => letterByLetter(text, '.', ' ')),
  look('X11', 'a blank in every longer word', (text) =>
    text.replace(/[A-Za-z]{5,}/g, (word) => `${word.slice(0, word.length >> 1)} ${word.slice(word.length >> 1)}`),
  ),
  look('X11', 'every letter twice', (text) => text.replace(/[A-Za-z]/g, '$&$&'), 'words'),
  look('X11', 'hyphenated letters', (text) => letterByLetter(text, '-', ' ')),
  look('X11', 'a letter a line', (text) => letterByLetter(text, '\n', '\n\n')),
  look('X11', 'letters between stars', (text) => letterByLetter(text, '*', ' ')),
];
