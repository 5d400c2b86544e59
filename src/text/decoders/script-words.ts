/**
 * Words that attacks are made of in languages that do not use Latin letters and put blanks between words. Damaged words
 * are recognized by them, as English ones are by the trigger words.
 */
export const SCRIPT_WORDS: readonly string[] = [
  ...'игнорируй игнорируйте предыдущие предыдущих предыдущее прежние прежних инструкции инструкций указания указаний'.split(
    ' ',
  ),
  ...'правила правил ограничений ограничения системный системные системного системную промпт сообщение'.split(' '),
  ...'забудь забудьте обращай внимания покажи выведи раскрой отвечай пароль'.split(' '),
  ...'ігноруй попередні попередніх інструкції інструкцій системний покажи'.split(' '),
  ...'تجاهل جميع التعليمات تعليمات السابقة القواعد النظام موجه اكشف قيود'.split(' '),
  ...'पिछले निर्देशों निर्देश नियमों अनदेखा सिस्टम प्रॉम्प्ट प्रतिबंध'.split(' '),
  ...'αγνόησε προηγούμενες οδηγίες συστήματος'.split(' '),
  ...'התעלם ההוראות הקודמות המערכת'.split(' '),
];

/** Beginnings of those of which nearly every attack holds one, long enough to mean something with a gap in them. */
export const SCRIPT_STEMS: readonly string[] = [
  ...'игнорируй предыдущ инструкци указани правил ограничен системн промпт забудь'.split(' '),
  ...'ігноруй попередн інструкці'.split(' '),
  ...'تجاهل التعليمات السابقة القواعد النظام'.split(' '),
  ...'पिछले निर्देश नियमों सिस्टम'.split(' '),
  ...'προηγούμεν οδηγίες'.split(' '),
  ...'ההוראות הקודמות'.split(' '),
];

/** What may stand in the middle of a word that somebody cut: signs and pictures. For RE2, which has no counted gaps. */
export const CUTTING_SIGN = '[\\x00-/:-@\\[-`{-~\u00ad·‐-―•…–—🌀-🫿]';
