/**
 * Words that attacks cannot do without and that are long enough to be recognized when reversed or shifted. The engine
 * searches for their disguised forms among its own patterns, which costs nothing and, unlike letter statistics, never
 * takes a Welsh sentence for a cipher. A text that holds none of these words could not match a signature either.
 */
export const TRIGGER_WORDS: readonly string[] = [
  'ignore',
  'disregard',
  'forget',
  'bypass',
  'override',
  'previous',
  'instruction',
  'instructions',
  'prompt',
  'system',
  'reveal',
  'password',
  'secret',
  'restrictions',
  'guidelines',
  'pretend',
  'answer',
  'please',
  'following',
  'everything',
  'anything',
  'without',
  'question',
  'should',
  'unrestricted',
  'developer',
  'assistant',
  'hidden',
  'output',
  'content',
  'because',
  'language',
  'message',
  'confidential',
  'administrator',
  'filters',
  'execute',
  'credentials',
  'jailbreak',
];

/**
 * The same for other languages in Latin letters, without accents: one of these is in nearly every attack. `ignore`,
 * `instructions` and `restrictions` are French as well.
 */
export const FOREIGN_TRIGGER_WORDS: readonly string[] = [
  // Spanish and Portuguese
  'instrucciones',
  'anteriores',
  'restricciones',
  'reglas',
  'sistema',
  'instrucoes',
  'restricoes',
  'regras',
  // Italian
  'istruzioni',
  'precedenti',
  'restrizioni',
  'regole',
  // French
  'precedentes',
  'consignes',
  'regles',
  'systeme',
  // German
  'anweisungen',
  'vorherigen',
  'bisherigen',
  'richtlinien',
  'regeln',
  // Dutch, Polish, Turkish, Indonesian
  'instructies',
  'instrukcje',
  'talimatlari',
  'instruksi',
];

/**
 * The few of both that most attacks hold, and that are too long to come out of other words by chance: for games with
 * letters that nobody plays by accident.
 */
export const SUREST_WORDS: readonly string[] = [
  'ignore',
  'disregard',
  'previous',
  'instructions',
  'guidelines',
  'restrictions',
  'instrucciones',
  'anteriores',
  'instrucoes',
  'istruzioni',
  'precedenti',
  'anweisungen',
  'vorherigen',
];

/**
 * Only confirm what one or two trigger words suggest: these are too short and too common to suggest anything
 * themselves.
 */
export const SMALL_WORDS: readonly string[] = [
  'all',
  'the',
  'your',
  'you',
  'and',
  'now',
  'are',
  'this',
  'that',
  'what',
  'with',
  'above',
  'about',
  'tell',
  'show',
  'from',
  'every',
  'before',
  'rules',
  'keys',
  'have',
  'write',
  'print',
  'repeat',
  'code',
  'data',
  'give',
  'will',
  'must',
  'not',
];

/** Words of those who ask for what is harmful, and hide it in a cipher: no instructions and no prompt are named there. */
const ASKING_WORDS: readonly string[] = [
  'explain',
  'describe',
  'provide',
  'develop',
  'create',
  'teach',
  'detailed',
  'tutorial',
  'someone',
  'somebody',
  'explosive',
  'weapon',
];

/** The same in words that are too short alone. */
export const ASKING_PHRASES: readonly string[] = [
  'how to',
  'how can',
  'how do',
  'tell me',
  'give me',
  'show me',
  'write a',
  'make a',
  'plan to',
];

/** The short words beside those. */
const SMALL_ASKING_WORDS: readonly string[] = [
  'how',
  'make',
  'build',
  'for',
  'can',
  'people',
  'step',
  'steps',
  'guide',
];

/** By which ciphers of letters are found: no text holds one of them in another order, or shifted, by accident. */
export const CIPHERED_WORDS: readonly string[] = [...TRIGGER_WORDS, ...ASKING_WORDS];

/** What confirms them. */
export const SMALL_CIPHERED_WORDS: readonly string[] = [...SMALL_WORDS, ...SMALL_ASKING_WORDS];

/** Words that texts in the spelling alphabet are full of, long enough to be recognized by the same means. */
export const SPELLING_WORDS: readonly string[] = [
  'november',
  'foxtrot',
  'whiskey',
  'uniform',
  'juliett',
  'charlie',
  'victor',
];
