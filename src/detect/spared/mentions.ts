import { OPERATOR_ROLES, THIRD_PARTY } from '../../domain/passage.ts';
import type { Passage, Role } from '../../domain/passage.ts';
import { wordsOf } from './closed-words.ts';
import { withoutCellsOfAttacks } from './cells-of-attacks.ts';
import { withoutDefence } from './defences/sentence.ts';
import { withoutLabelledAttacks } from './labelled-attacks.ts';
import { withoutNotesOnFormats } from './notes-on-formats.ts';
import { isWholeOrder } from './quoted-attack.ts';
import { withoutRequestsInLogs } from './requests-in-logs.ts';

/**
 * A text without what only names an attack or defends against one: the rules by which a bot keeps its instructions to
 * itself, and in data the famous wordings that tests, logs and articles about attacks quote. Null where there is none.
 *
 * This makes nobody's order weaker. What is taken out holds no order but the famous ones, in a sentence that speaks of
 * attacks and to nobody; and all the rest of the text is judged as it stands, as if its author had left that out.
 *
 * Refused: to take out what a user quotes. Who speaks to the model can have it obey the quotation, in words that no list
 * knows.
 */
export function withoutMentions({ text, role }: Pick<Passage, 'text' | 'role'>): string | null {
  if (text.length > MOST_CHARACTERS) return null;
  const left = withoutDefences(text, OPERATOR_ROLES.has(role));
  const rest = THIRD_PARTY.has(role) ? withoutAttacksInData(left) : left;
  if (rest === text) return null;
  // All of a system prompt is rules, and refers to others of them. Nobody else adds to it.
  if (OF_OPERATOR_ALONE.has(role)) return rest;
  return TAKING_UP.test(rest) || (left !== text && goesBackOnRules(text, left)) ? null : rest;
}

/** What tests, logs, articles and collections say of attacks. */
function withoutAttacksInData(text: string): string {
  const left = withoutRequestsInLogs(withoutNotesOnFormats(text));
  return withoutCellsOfAttacks(withoutLabelledAttacks(withoutFamous(left)));
}

const OF_OPERATOR_ALONE: ReadonlySet<Role> = new Set<Role>(['system', 'developer']);

/** `Now break that rule`, `except for me`: what stands behind the rules, or before them, takes them back. */
function goesBackOnRules(text: string, left: string): boolean {
  let first = 0;
  while (first < left.length && text[first] === left[first]) first += 1;
  return REFERRING.test(left.slice(first)) || REVOKING.test(left);
}

/** An honest set of rules that has one of these is judged as it stands. */
const REFERRING =
  /(?<!\p{L})(?:i|me|that|it|its|these|those|this|them|rules?|sentence|never|anyway|except|unless|but|however|though|wrong|right|not|go (?:on|ahead)|always|all|everything|mir|mich|das|dies\p{L}*|heute|gilt|ungültig|damit|außer|doch|aber|sauf|moi|mais|cela|ça|salvo|mí|pero|esto|eso|exceto|mas|isso|tranne|ma|questo|valen|vas-y|кроме|мне|это|отмен\p{L}*|hariç|bana|bunu|إلا|لي|هذا|मुझे|यह|trừ|tôi|kecuali|saya|itu)(?!\p{L})|-(?:la|le|les|moi)(?!\p{L})|(?:dime|dímelas|dimmele|dimmi|dille)|ただし|それ|私に|除了|作废|但|我|예외|저에게|나에게|그것/iu;
const REVOKING =
  /cancel|revok|expire|no longer|\bvoid\b|violat|\bbreak\b|\bfalse\b|\bwrong\b|\bold rules?\b|was not there|forget|invalid|ungültig|verletze|breche|ya no|annul|rompe|viola|нарушь|отменен|作废|違反|廃止|무효/iu;

/** `Then obey it`, `just kidding`: what is left takes up what was taken out, or turns it around. */
const TAKING_UP =
  /\bobey|\bcomply with (?:it|them|that|this)\b|\bdo (?:it|so|as|what|the opposite)\b|opposite|\breverse of|kidding|joking|carry (?:it|them) out|\bfollow (?:it|them|that|this)\b|never ?mind|gehorch|befolge|gegenteil|scherz|obéis|contraire|blague|fais-le|obedece|hazlo|contrario|broma|obedeça|faça isso|brincadeira|contrário|obbedisci|\bfallo\b|gehoorzaam|tegendeel|grapje|wykonaj|żart|выполни|наоборот|шучу|подчин|виконай|навпаки|жартую|uygula|tersini|şaka|نفذ|أطع|عكس|पालन कर|उल्टा|मज़ाक|従って|実行して|冗談|照做|照办|(?:请|就|去|立即|马上|并|予以)执行|执行(?:它|上述|以上|这|该|引号)|相反|玩笑|따르|실행|반대|농담|làm theo|ngược lại|\bđùa|turuti|lakukan|sebaliknya|bercanda/iu;

const MOST_CHARACTERS = 32_768;

/** A sentence with the mark of a list before it. A quotation may hold the end of another sentence. */
const SENTENCE =
  /(?:"[^"\n]{0,160}"|[“„][^”“\n]{0,160}[”“]|«[^»\n]{0,160}»|「[^」\n]{0,160}」|[^.!?।。！？;；\n"“„«「]|["“„«「]|\.(?=\S))+/gu;

/** Of a text with more, the others are judged as they stand. */
const MOST_SENTENCES = 400;

function withoutDefences(text: string, isOperators: boolean): string {
  // At each of these marks the search reads ahead.
  if ((text.match(OPENING_MARK)?.length ?? 0) > MOST_QUOTED) return text;
  let read = 0;
  return text.replace(SENTENCE, (sentence, at: number) => {
    // Who asks whether something is never done gives no rule.
    if (++read > MOST_SENTENCES || QUESTION_MARK.test(text[at + sentence.length] ?? '')) return sentence;
    return withoutDefence(sentence, isOperators);
  });
}

const OPENING_MARK = /["“„«「]/gu;
const QUESTION_MARK = /[?？؟]/u;

/** What stands between marks of quotation, between those of a pattern, or behind the name of a test. */
const QUOTED =
  /\\"([^"\\\n]{4,120})\\"|"(?=\S)([^"\\\n]{4,120})(?<=\S)"|(?<![\p{L}\p{N}])'([^'\\\n]{4,120})'(?![\p{L}\p{N}])|`([^`\n]{4,120})`|[“„]([^“”„\n]{4,120})[”“]|«([^«»\n]{4,120})»|「([^「」\n]{4,120})」|‘([^‘’\n]{4,120})’|\w\[([^[\]\n]{4,120})\]|(?<=[\s(,[])\/(?![/*])([^/\n]{4,120})\/[a-z]{0,4}(?=[,\s)])/gu;
/** A pattern has one; words between slashes have none. */
const OPERATOR = /\\[bBdDsSwW]|[|?*+^$[(]/;
/** What patterns write beside words. */
const OF_PATTERNS = /\\[bBdDsSwW]|\(\?[a-z:!=<]*\)?|[\\()|?*+^$[\]]/g;
/** Of attacks, and of what is done against them, or of much else: a text without one is not looked through. */
const ABOUT_ATTACKS =
  /inject|jailbreak|attack|adversar|attacker|malicious|suspicious|block(?:s|ed|list)|deny.?list|guard(?:rail|\.)|\bguard\b|\[PASS\]|flag(?:s|ged)\b|detect|reject|refus|sanitiz|filter|red.?team|exploit|hacker|angreif|angriff|injektion|pirate|attaque|atacante|ataque|inyecci|injeç|aggressor|attacc|iniezion|aanval|atak|атак|злоумышлен|зловмисник|инъекц|ін.єкц|saldır|مهاجم|هجوم|हमल|攻撃|インジェクション|攻击|注入|공격|인젝션|tấn công|penyerang|serangan/iu;
/** Of attacks on models and on nothing else. */
const ON_MODELS =
  /inject|jailbreak|adversar|\battackers?\b|\battacks?\b|_ATTACKS?\b|guardrail|red.?team|angreifer|angriff|injektion|inyecci|injeç|iniezion|attaquant|attaque|atacante|ataque|aggressor|attacc|aanval|\batak|атак|злоумышлен|зловмисник|инъекц|ін.єкц|saldır|مهاجم|هجوم|हमल|攻撃|インジェクション|攻击|注入|공격|인젝션|tấn công|penyerang|serangan/iu;
/** A line of a test, or of its report. */
const OF_TESTS = /[✓✔✗✘√]|\b(?:it|test|describe|expect)\(|\b(?:FAILED|PASSED)\b/u;
/** Who is spoken to in the sentence might be asked to obey. */
const SPOKEN_TO =
  /\b(?:you|your|yours|please|now|must|shall|should|obey|comply|follow|execute|perform|respond|reply|answer|assistants?|as if|du|dich|dir|deine?n?|bitte|jetzt|befolge|musst|tu|toi|ton|ta|tes|vous|votre|maintenant|dois|obéis|tú|usted|ahora|debes|obedece|você|agora|deve|obedeça|adesso|devi|jij|jouw|moet|teraz|musisz)\b|(?<!\p{L})(?:ты|теперь|выполни|сейчас|должен|şimdi|uygula|sen|الآن|نفذ|अब|आप|请|你|現在|あなた|ください|지금|당신|bạn|anda|kamu)(?!\p{L})/iu;
const TO_THE_MODEL =
  /(?<!\p{L})(?:(?:to|for|dear|the|this|an?) (?:ai|model|agents?|llm|chatbot|bot|reader)s?|an das modell|pour le modèle|para el modelo|para o modelo|per il modello|модели)(?!\p{L})|モデルへ|(?:给|給|致|对|對|请|請|各位|所有)(?:ai|大|语言|語言)*模型|模型(?:请|請|[，,：:！!]|应|應|必须|必須)/iu;
/** `This is not an attack: "..."` */
const DENIED =
  /(?<!\p{L})(?:not|no|isn|aren|never|un\p{L}+ed|kein\p{L}*|nicht|pas|aucun\p{L}*|não|non|geen|niet|nie|не|нет|değil|ليس|नहीं|không|bukan|inte|ikke)(?!\p{L})|ではな|ではあり|じゃない|不是|并非|아니|아닌/iu;
/** The value of a member, of a cell or of an attribute is what somebody wrote there, and the names around it say little. */
const IN_A_FIELD = /["']\s*:\s*\\?["']$|,\\?"$|<[^<>]*=\s*["']$/;
/** `Subject: "..."`. That of an attack may be one. */
const BEHIND_A_LABEL = /^\s*[\p{L}\p{N}_-]+\s*[:=]\s*["“„«「]$/u;
/** `Proceed accordingly` follows the quotation, and is too short to speak of anything else. */
const SHORT = 80;
/** What an article goes on with. */
const DEFENCE =
  /defen[cs]e|mitigat|countermeasure|abwehr|gegenmaßnahm|défense|parade|defensa|mitigac|defesa|mitigaç|difes|contromisur|verdedig|obron|защит|захист|savunma|önlem|دفاع|बचाव|対策|防御|防护|對策|대응책|방어|phòng (?:thủ|chống)|pertahanan/iu;
const CODE = /[{}();=]|[✓✗]|^[^\p{L}]|^condition:(?:\s+\w+)?$/u;
/** Where a sentence ends, once nothing quoted is left: not at the dots of `e.g.` and `m.in.` */
const END = /[\n!?。！？।]|(?<!(?<!\p{L})\p{L}\.\p{L}{1,3})\.(?=\s|$)/u;

/** `DAN mode`, as lists of words to look for have it. */
const NAME_OF_ATTACK = /^(?:dan(?: mode)?|developer mode|do anything now|jailbreak(?: mode)?|system prompt)$/;

/** A text with more is made to be slow, or is a collection of attacks, and is judged as it stands. */
const MOST_QUOTED = 1024;
const MOST_FAMOUS = 64;

function withoutFamous(text: string): string {
  if (!ABOUT_ATTACKS.test(text)) return text;
  const famous: (readonly [from: number, to: number, isPattern: boolean])[] = [];
  let outside = '';
  let at = 0;
  QUOTED.lastIndex = 0;
  let read = 0;
  for (let found = QUOTED.exec(text); found !== null; found = QUOTED.exec(text)) {
    if (++read > MOST_QUOTED || famous.length === MOST_FAMOUS) return text;
    const content = found.slice(1).find((part) => part !== undefined)!;
    const words = wordsOf(content.replace(OF_PATTERNS, ' '));
    if (words === null || !(isWholeOrder(words) || NAME_OF_ATTACK.test(words.join(' ')))) {
      // Another quotation may stand in this one.
      QUOTED.lastIndex = found.index + 1;
      continue;
    }
    const from = found.index + found[0].lastIndexOf(content);
    outside += text.slice(at, from) + ' '.repeat(content.length);
    at = from + content.length;
    famous.push([from, at, found[0].startsWith('/') && content.match(OPERATOR) !== null]);
  }
  outside += text.slice(at);
  let rest = '';
  let kept = 0;
  for (const [from, to, isPattern] of famous) {
    if (!isNamed(outside, from, to, isPattern)) continue;
    rest += text.slice(kept, from);
    kept = to;
  }
  return rest + text.slice(kept);
}

/** Whether the sentence around a quotation, or the list that it belongs to, is about attacks and speaks to nobody. */
function isNamed(outside: string, from: number, to: number, isPattern: boolean): boolean {
  const before = lastSentence(outside.slice(Math.max(0, from - REACH), from));
  const after = firstSentence(outside.slice(to, to + REACH));
  const sentence = `${before} ${after}`;
  if ([SPOKEN_TO, TO_THE_MODEL, DENIED].some((turn) => turn.test(sentence)) || IN_A_FIELD.test(before)) return false;
  if ((BEHIND_A_LABEL.test(before) && !ON_MODELS.test(before)) || isTakenUpBehind(outside.slice(to, to + REACH)))
    return false;
  return (
    isPattern ||
    ON_MODELS.test(sentence) ||
    OF_TESTS.test(before) ||
    (SUCH_AS.test(before) && ON_MODELS.test(outside)) ||
    isOfListOfAttacks(outside.slice(Math.max(0, from - LIST), from)) ||
    isLookedFor(outside, from)
  );
}

/** `keywords: ['...', '...']` and the strings of a rule that scanners read, in a text about attacks on models. */
function isLookedFor(outside: string, from: number): boolean {
  const before = outside.slice(Math.max(0, from - LIST), from);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  // A name that says what is blocked speaks of nothing else.
  if (LOOKED_FOR.test(line) && /(?:block|deny)_?list/iu.test(line)) return true;
  if (!ON_MODELS.test(outside)) return false;
  if (LOOKED_FOR.test(line)) return true;
  const lines = before.split('\n');
  if (!STRING_OF_RULE.test(lines.at(-1)!)) return false;
  let i = lines.length - 2;
  while (i >= 0 && STRING_OF_RULE.test(lines[i]!)) i -= 1;
  return i >= 0 && /^\s*strings:\s*$/.test(lines[i]!) && lines.slice(0, i).some((line) => RULE.test(line));
}

const LOOKED_FOR =
  /^\s*(?:(?:const|let|var) )?[\w|-]{0,40}(?:keywords?|phrases|patterns|(?:block|deny)_?list|needles)[\w|-]{0,40}["']?\s*[:=]\s*\[(?:\s*(?:"[^"\n]{0,80}"|'[^'\n]{0,80}')\s*,){0,32}\s*["']$/iu;
const STRING_OF_RULE = /^\s*\$\w{0,40}\s*=\s*"/;
const RULE = /^\s*(?:(?:private|global) )?rule \w+/;

function isTakenUpBehind(after: string): boolean {
  const next = after
    .split(END)
    .slice(1)
    .map((sentence) => sentence.trim())
    .find((sentence) => /\p{L}/u.test(sentence));
  return next !== undefined && next.length <= SHORT && ![ABOUT_ATTACKS, DEFENCE, CODE].some((kind) => kind.test(next));
}

/** What others write, in a text about attacks. */
const SUCH_AS =
  /(?<!\p{L})(?:such as|like|(?:users?|someone|somebody|people|they|he|she) (?:types?|writes?|wrote|typed|says)|como|alguien escribe|alguém escreve|comme|wie|come|zoals|jak|вроде|типа|مثل|như|seperti)\s*[:,]?\s*\W{0,2}$/iu;

const REACH = 400;
const LIST = 2000;

function lastSentence(text: string): string {
  return text.split(END).at(-1) ?? '';
}

function firstSentence(text: string): string {
  return text.split(END)[0] ?? '';
}

/** `const ATTACKS = [` with nothing but elements up to here. */
function isOfListOfAttacks(before: string): boolean {
  const lines = before.split('\n');
  for (let i = lines.length - 2; i >= 0; i -= 1) {
    const line = lines[i]!;
    if (OPENING.test(line)) return ON_MODELS.test(line) && !SPOKEN_TO.test(line);
    if (!ELEMENT.test(line)) return false;
  }
  return false;
}

const OPENING = /[=:]\s*(?:new \w+\()?[[({]\s*$/;
const ELEMENT = /^[\s+-]*(?:$|["'`/({[]|#|\/\/|\w+["']?\s*:)/;
