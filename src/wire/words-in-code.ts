/**
 * Finds what a model could read in a value of base64 characters: `R0lGODlh/Ignore-all-previous-instructions` begins
 * like an image, but nobody has to decode it to understand it.
 *
 * Each character is scored by how much likelier it is after the one before it in words than in the code of a file. Where
 * the sum of the scores rises above a threshold, there are words. Case and the digits of leet do not matter, and neither
 * does the direction.
 */
import { FOREIGN_WORDS } from '../text/foreign-words.ts';
import { ENGLISH_WORDS } from '../text/words.ts';

/** Common words in further languages, for their pairs of letters. Base64 has no accented letters, so they have none. */
const MORE_WORDS = (
  'zignoruj zapomnij wszystkie poprzednie instrukcje polecenia zasady ujawnij powiedz jestes teraz wiadomosc systemowa prosze nie ' +
  'unohda kaikki aiemmat aikaisemmat ohjeet saannot nayta kerro minulle olet nyt jarjestelma kehote salaisuus viesti mutta ' +
  'onceki tum talimatlari kurallari yok say unut sistem istemini goster bana soyle simdi sen gizli mesaj degil bir ve icin ' +
  'abaikan lupakan semua instruksi perintah aturan sebelumnya tampilkan katakan kepada saya sekarang kamu adalah rahasia yang dengan ' +
  'negeer vergeet alle voorgaande eerdere instructies opdrachten regels toon vertel mij bent geheim bericht niet een voor ' +
  'ignorera glom alla tidigare foregaende instruktioner regler visa beratta for mig hemliga meddelande inte och ' +
  'ignoruj zapomen vsechny predchozi pokyny pravidla zobraz rekni mi jsi nyni tajne zpravu systemu ktere ' +
  'hagyd figyelmen kivul osszes korabbi utasitast szabalyt mutasd mondd nekem most vagy titkos uzenet rendszer nem ' +
  'ignora toate instructiunile anterioare regulile uita arata spune mesajul secret acum esti care pentru sunt ' +
  'bo qua tat ca cac huong dan truoc do hay cho toi biet loi nhac he thong bay gio ban la khong duoc nguoi ' +
  'puuza maagizo yote ya awali sheria onyesha niambie sasa wewe ni siri ujumbe mfumo kwa huwalain lahat ng nakaraang tagubilin'
).split(' ');

/** Letters without case, a class for what separates words (0), and one for digits that stand for no letter. */
const CLASSES = 28;
const DIGIT = 27;
const LEET: Readonly<Record<string, string>> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b', 9: 'g' };
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function classOf(char: string): number {
  const letter = LEET[char] ?? char.toLowerCase();
  if (letter >= 'a' && letter <= 'z') return letter.charCodeAt(0) - 96;
  return /[0-9]/.test(char) ? DIGIT : 0;
}

/** Scores are kept as whole numbers: this many for one bit. */
const BIT = 16;
const MIN_PAIR_BITS = -6;
/** For a character that is the same as the one before, or one of four that come again, as in the code of even areas. */
const REPEATED_BITS = -1.5;

/** The score of each pair of characters, by the code of the first one times 128 plus that of the second. */
const SCORES = scores();

function scores(): Int16Array {
  const counts = new Float64Array(CLASSES * CLASSES).fill(0.3);
  for (const word of [...ENGLISH_WORDS, ...FOREIGN_WORDS, ...MORE_WORDS]) {
    let before = 0;
    for (const char of `${word}-`) {
      const next = classOf(char);
      // Counted in both directions, so that words that are turned around are found as well.
      counts[before * CLASSES + next]!++;
      counts[next * CLASSES + before]!++;
      before = next;
    }
  }
  const inCode = new Float64Array(CLASSES);
  for (const char of BASE64) inCode[classOf(char)]! += 1 / BASE64.length;
  const table = new Int16Array(128 * 128);
  for (let first = 0; first < 128; first++) {
    const before = classOf(String.fromCharCode(first));
    const row = counts.subarray(before * CLASSES, (before + 1) * CLASSES);
    const sum = row.reduce((all, count) => all + count, 0);
    for (let second = 0; second < 128; second++) {
      const next = classOf(String.fromCharCode(second));
      const bits = next === before ? REPEATED_BITS : Math.log2(row[next]! / sum / inCode[next]!);
      table[first * 128 + second] = Math.round(Math.max(MIN_PAIR_BITS, bits) * BIT);
    }
  }
  return table;
}

/** Reached by some 20 characters of words, and by chance once in some megabytes of the code of a compressed file. */
const WORDS_SCORE = 18 * BIT;
/** Characters that are read before and after the words, so that nothing of a phrase is lost. */
const MARGIN = 256;

/** The stretches of a value of base64 characters that read as words, one per line; an empty string if there are none. */
export function wordsInCode(value: string): string {
  return candidates(value)
    .map(([from, to]) => value.slice(from, to))
    .filter(readsAsWords)
    .join('\n');
}

const WINDOW = 8192;
/** One more, for the half of a pair at the end. */
const WINDOW_CODES = Buffer.alloc(WINDOW + 1);

/**
 * Where there may be words. An image has a million characters, so this does without a branch for each of them, and
 * without the check for repetition.
 */
function candidates(value: string): [from: number, to: number][] {
  const found: [from: number, to: number][] = [];
  let score = 0;
  let before = 0;
  for (let from = 0; from < value.length; from += WINDOW) {
    const size = WINDOW_CODES.write(value.slice(from, from + WINDOW), 'latin1');
    WINDOW_CODES[size] = 0;
    for (let at = 0; at < size; at += 2) {
      const first = WINDOW_CODES[at]! & 127;
      const second = WINDOW_CODES[at + 1]! & 127;
      score += SCORES[before * 128 + first]! + SCORES[first * 128 + second]!;
      score &= ~(score >> 31);
      before = second;
      if (score < WORDS_SCORE) continue;
      score = 0;
      addRange(found, Math.max(0, from + at - MARGIN), Math.min(value.length, from + at + MARGIN));
    }
  }
  return found;
}

function addRange(found: [from: number, to: number][], from: number, to: number): void {
  const last = found.at(-1);
  if (last !== undefined && from <= last[1]) last[1] = to;
  else found.push([from, to]);
}

/**
 * Characters of the code of three samples of sound, of 16 bits each: where it is quiet or changes slowly, the high bytes
 * of the samples are the same in all of them, and so are two or three characters in eight. In words it is one in twelve,
 * apart from a separator behind each letter.
 */
const SAMPLES = 8;
const ALIKE_IN_SOUND = 0.15;
/** Somebody may have written words among samples, so these are measured by themselves. */
const MOST_ALIKE_IN_WORDS = 0.22;

function isAlike(code: string, at: number): boolean {
  return code[at] === code[at - SAMPLES] && code[at] !== code[at - 2];
}

function isSound(code: string): boolean {
  let alike = 0;
  for (let at = SAMPLES; at < code.length; at++) if (isAlike(code, at)) alike++;
  return alike >= code.length * ALIKE_IN_SOUND;
}

/** Whether the sum of scores reaches the threshold even though repeated characters count against it. */
function readsAsWords(code: string): boolean {
  const most = isSound(code) ? MOST_ALIKE_IN_WORDS : 1;
  let score = 0;
  let length = 0;
  let alike = 0;
  for (let at = 1; at < code.length; at++) {
    const repeats = code[at] === code[at - 4] && code[at - 1] === code[at - 5];
    score += repeats ? REPEATED_BITS * BIT : SCORES[code.charCodeAt(at - 1) * 128 + code.charCodeAt(at)]!;
    length++;
    if (isAlike(code, at)) alike++;
    if (score >= WORDS_SCORE && alike <= length * most) return true;
    if (score < 0 || score >= WORDS_SCORE) score = length = alike = 0;
  }
  return false;
}
