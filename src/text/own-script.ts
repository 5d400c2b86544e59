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
const CYRILLIC = pairs('ABCEHIJKMOPSTXYabcehijkmnoprstuwxy036', 'АВСЕНІЈКМОРЅТХУаьсеһіјкмпоргѕтишхуозб');
const GREEK_LETTERS = pairs('ABEHIKMNOPTXYZaiknoptuvwxy0', 'ΑΒΕΗΙΚΜΝΟΡΤΧΥΖαικηορτυνωχγο');

function pairs(latin: string, other: string): ReadonlyMap<string, string> {
  return new Map(Array.from(latin, (letter, i) => [letter, other[i]!]));
}

/** The text with each such letter as that of its word; the text itself if there is none. */
export function inOwnScript(text: string): string {
  if (!HAS_LATIN.test(text)) return text;
  return text.replaceAll(WORD, (word) => {
    if (!HAS_OTHER.test(word) || !HAS_LATIN.test(word)) return word;
    const letters = GREEK.test(word) ? GREEK_LETTERS : CYRILLIC;
    return word.replaceAll(LATIN, (letter) => letters.get(letter) ?? letter);
  });
}
