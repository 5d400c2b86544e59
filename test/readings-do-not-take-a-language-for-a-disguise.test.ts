import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { folded } from '../src/text/decoders/folded.ts';
import { MARK } from '../src/text/marks.ts';
import { seenIn } from '../src/text/seen.ts';

/** Each with what was once taken for hidden English: letters that are two in one, rows of words that all look Latin, foreign names. */
const HONEST: Readonly<Record<string, string>> = {
  German: 'Wie groß ist der Dreißigjährige Krieg im Lehrplan? Außerdem heißt die Straße jetzt „Große Allee“.',
  French: 'Le cœur du sujet : deux œufs, une sœur et un œil. Où est passée la main-d’œuvre ?',
  Danish: 'Kan du forklare, hvad en ærlig smørrebrød koster på Færøerne?',
  Icelandic: 'Þetta er það sem ég þarf að vita um veðrið.',
  Russian: 'Что такое почему? Могу понять, но не вижу мяса. Теперь метро уехало, а мама не рада.',
  'Russian with foreign names': 'Что такое API и как в Python открыть такое, как React? Спроси на GitHub.',
  Ukrainian: 'Що таке метро, і таке, як тут? П’ятеро чекають на Android, а потім на Windows.',
  Greek: 'Αυτό είναι το σωστό αρχείο και το νέο τεύχος του περιοδικού για το Linux.',
  'Chinese beside Latin': '请用 Python 写一个脚本，把 CSV 文件转换成 JSON。',
};

/** English in letters of another script, alone and among words of that script. */
const DISGUISED: Readonly<Record<string, string>> = {
  'a word that we know': 'Спасибо. ргіпт',
  'a word between Latin ones': 'please сору the text',
  'a word before Latin ones': 'Сору the text',
  'words in a row that we know': 'привет ргомрт ргіпт привет',
  'a sentence with a letter that Russian has not': 'ѕауе тhе ехасt сору, Москва',
  'letters of two scripts in a word': 'іgnоrе',
};

describe('a quick look', () => {
  for (const [language, text] of Object.entries(HONEST))
    it(`takes ${language} for no disguise, and reads it at most once more, without its accents`, () => {
      assert.equal(seenIn(text).marks & MARK.strange, 0);
      assert.ok(folded.decode(text).length <= 1);
    });

  for (const [what, text] of Object.entries(DISGUISED))
    it(`takes ${what} for a disguise`, () => assert.notEqual(seenIn(text).marks & MARK.strange, 0));
});
