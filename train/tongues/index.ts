import { ARABIC } from './arabic.ts';
import { CHINESE } from './chinese.ts';
import { DUTCH } from './dutch.ts';
import { FRENCH } from './french.ts';
import { GERMAN } from './german.ts';
import { HINDI } from './hindi.ts';
import { HINGLISH } from './hinglish.ts';
import { INDONESIAN } from './indonesian.ts';
import { ITALIAN } from './italian.ts';
import { JAPANESE } from './japanese.ts';
import { KOREAN } from './korean.ts';
import { POLISH } from './polish.ts';
import { PORTUGUESE } from './portuguese.ts';
import { RUSSIAN } from './russian.ts';
import { SPANISH } from './spanish.ts';
import { THAI } from './thai.ts';
import { TURKISH } from './turkish.ts';
import { UKRAINIAN } from './ukrainian.ts';
import { VIETNAMESE } from './vietnamese.ts';
import type { LanguageTexts } from './tongue.ts';

export const LANGUAGE_TEXTS: readonly LanguageTexts[] = [
  ARABIC,
  CHINESE,
  DUTCH,
  FRENCH,
  GERMAN,
  HINDI,
  HINGLISH,
  INDONESIAN,
  ITALIAN,
  JAPANESE,
  KOREAN,
  POLISH,
  PORTUGUESE,
  RUSSIAN,
  SPANISH,
  THAI,
  TURKISH,
  UKRAINIAN,
  VIETNAMESE,
];
