/**
 * Letters of the Latin alphabet inside words of another one: `Игнoрируй` with a Latin `o` looks like Russian, and matches
 * no pattern. The other way round, Latin words with Cyrillic letters, is what `fold.ts` maps.
 */
const WORD = /[A-Za-z0-9\u0370-\u052f]+/g;
const LATIN = /[A-Za-z0-9]/g;
const HAS_LATIN = /[A-Za-z]|[\u0370-\u052f][03]|[03][\u0370-\u052f]/;
const HAS_OTHER = /[\u0370-\u052f]/;
const GREEK = /[\u0370-\u03ff]/;

/** What each looks like there. Digits and letters that only resemble another one count as well: `игн0рируй`, `пpoшлыe`. */
const CYRILLIC: Readonly<Record<string, string>> = {
  ...{
    A: 'А',
    B: 'В',
    C: 'С',
    E: 'Е',
    H: 'Н',
    I: 'І',
    J: 'Ј',
    K: 'К',
    M: 'М',
    O: 'О',
    P: 'Р',
    S: 'Ѕ',
    T: 'Т',
    X: 'Х',
    Y: 'У',
  },
  ...{ a: 'а', b: 'ь', c: 'с', e: 'е', h: 'һ', i: 'і', j: 'ј', k: 'к', m: 'т', n: 'п', o: 'о', p: 'р', r: 'г', s: 'ѕ' },
  ...{ t: 'т', u: 'и', w: 'ш', x: 'х', y: 'у', '0': 'о', '3': 'з', '6': 'б' },
};
const GREEK_LETTERS: Readonly<Record<string, string>> = {
  ...{ A: 'Α', B: 'Β', E: 'Ε', H: 'Η', I: 'Ι', K: 'Κ', M: 'Μ', N: 'Ν', O: 'Ο', P: 'Ρ', T: 'Τ', X: 'Χ', Y: 'Υ', Z: 'Ζ' },
  ...{ a: 'α', i: 'ι', k: 'κ', n: 'η', o: 'ο', p: 'ρ', t: 'τ', u: 'υ', v: 'ν', w: 'ω', x: 'χ', y: 'γ', '0': 'ο' },
};

/** The text with each such letter as that of its word; the text itself if there is none. */
export function inOwnScript(text: string): string {
  if (!HAS_LATIN.test(text)) return text;
  return text.replaceAll(WORD, (word) => {
    if (!HAS_OTHER.test(word) || !HAS_LATIN.test(word)) return word;
    const letters = GREEK.test(word) ? GREEK_LETTERS : CYRILLIC;
    return word.replaceAll(LATIN, (letter) => letters[letter] ?? letter);
  });
}
