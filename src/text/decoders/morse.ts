import type { Decoded, Decoder } from './decoder.ts';

const CODE = new Map(
  Object.entries({
    '.-': 'a',
    '-...': 'b',
    '-.-.': 'c',
    '-..': 'd',
    '.': 'e',
    '..-.': 'f',
    '--.': 'g',
    '....': 'h',
    '..': 'i',
    '.---': 'j',
    '-.-': 'k',
    '.-..': 'l',
    '--': 'm',
    '-.': 'n',
    '---': 'o',
    '.--.': 'p',
    '--.-': 'q',
    '.-.': 'r',
    '...': 's',
    '-': 't',
    '..-': 'u',
    '...-': 'v',
    '.--': 'w',
    '-..-': 'x',
    '-.--': 'y',
    '--..': 'z',
    '-----': '0',
    '.----': '1',
    '..---': '2',
    '...--': '3',
    '....-': '4',
    '.....': '5',
    '-....': '6',
    '--...': '7',
    '---..': '8',
    '----.': '9',
    '.-.-.-': '.',
    '--..--': ',',
    '..--..': '?',
    '.----.': "'",
    '-.-.--': '!',
    '-..-.': '/',
    '-....-': '-',
    '---...': ':',
    '-.-.-.': ';',
    '.-..-.': '"',
    '.--.-.': '@',
    '-...-': '=',
  }),
);
const SIGNALS = /[.\-·•_‐-―−][.\-·•_‐-―−/|\s]{8,}/g;
const SIGNAL_WORDS = /(?:[.\-·•_‐-―−]{1,8}[\s/|]{1,4}){4}/;
const DASHES = /[_‐-―−]/g;
const DOTS = /[·•]/g;
const WORDS = /\s*[/|]+\s*| {3,}|\n+/;
/** A rule under a heading is one letter over and over. */
const LEAST_DIFFERENT = 3;
const LEAST_LETTERS = 4;
const KNOWN = 0.8;

export const morse: Decoder = {
  name: 'morse',
  shape: '(?:[.\\-·•–—−_]+[ /|]+){4}',
  hint: ({ sparse }, text) => sparse.some(({ start, end }) => SIGNAL_WORDS.test(text.slice(start, end))),
  suspicion: 0,
  decode: (text) => {
    const pieces: Decoded[] = [];
    for (const match of text.matchAll(SIGNALS)) {
      const plain = decoded(match[0].trimEnd().replace(DASHES, '-').replace(DOTS, '.'));
      if (plain !== null)
        pieces.push({ text: plain, start: match.index, end: match.index + match[0].trimEnd().length });
    }
    return pieces;
  },
  examples: {
    reads: [
      ['.. --. -. --- .-. . / .- .-.. .-..', 'ignore all'],
      ['.. --. -. --- .-. .   .- .-.. .-..', 'ignore all'],
      ['•• ——• —• ——— •—• •', 'ignore'],
    ],
    leaves: ['---', '| --- | --- | --- | --- |', '- - - - - - - -', '... ... ... ...', '-- \n-- \n-- \n'],
  },
};

function decoded(signals: string): string | null {
  let known = 0;
  let all = 0;
  const letters = new Set<string>();
  const words = signals.split(WORDS).map((word) =>
    word
      .split(/\s+/)
      .map((signal) => {
        const letter = CODE.get(signal) ?? '';
        if (signal.length > 0) all++;
        if (letter !== '') known++;
        letters.add(letter);
        return letter;
      })
      .join(''),
  );
  return all >= LEAST_LETTERS && known >= KNOWN * all && letters.size >= LEAST_DIFFERENT
    ? words.join(' ').trim()
    : null;
}
