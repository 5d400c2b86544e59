/**
 * Whether two matches stand in different entries of a catalog of labels. `{"ignore": "Ignorar", "all": "Todas", "rules":
 * "Reglas"}` has the words of an order side by side, and no sentence in which it would be given: an application shows each
 * value on a button of its own.
 *
 * The first match stands in an entry itself, and there are some around, with keys that are the names of labels. Keys that make
 * one order of their values are none: `"action": "ignora", "object": "las instrucciones"`. One value that holds all of an order
 * is found as anywhere.
 */
export function isEntryBetween(part: Buffer, from: number, to: number, isOfCatalog: () => boolean): boolean {
  if (to <= from) return false;
  const gap = part.toString('utf8', from, to);
  // What it ends with may reach into the second match, which may be a key itself.
  const found = BETWEEN.exec(gap + part.toString('utf8', to, Math.min(part.length, to + LONGEST_KEY)));
  return found !== null && found.index < gap.length && isOfCatalog();
}

/** Whether what stands around a place of the text is a catalog. */
export function isCatalogAround(text: string, from: number, to: number): boolean {
  const around = text.slice(Math.max(0, from - REACH), Math.min(to, from + MOST_BETWEEN) + REACH);
  const keys = Array.from(around.matchAll(ENTRY), (entry) => entry[1] ?? entry[2]!);
  if (keys.length < FEWEST_ENTRIES || keys.some((key) => OF_AN_ORDER.test(key))) return false;
  return OPEN.test(text.slice(Math.max(0, from - REACH), from));
}

const REACH = 240;
/** What several places share is looked at from its beginning. */
const MOST_BETWEEN = 1024;
const FEWEST_ENTRIES = 3;
/** In bytes, with the marks around it. */
const LONGEST_KEY = 64;

const KEY = String.raw`[A-Za-z][\w.$-]{1,47}`;
/** The end of one value, and the key of the next. */
const BETWEEN = new RegExp(
  String.raw`["'”’»\x60]\s*[,;]\s*["']?${KEY}["']?\s*(?::|=>?)|\n[ \t]*["']?${KEY}["']?[ \t]*(?::|=>?)|<\/\w+>\s*<\w+ name="`,
  'u',
);
const ENTRY = new RegExp(
  String.raw`(?:^|[\n{,;(])\s*["']?(${KEY})["']?\s*(?::|=>?)(?=\s*\S)|<\w+ name="(${KEY})">`,
  'gu',
);
/** Behind a key, its value has begun and not ended. */
const OPEN = new RegExp(
  String.raw`(?:(?:^|[\n{,;(])\s*["']?(?:${KEY})?|<\w+ name="${KEY}">[^<>\n]{0,80}|(?:^|[\n{,;(])\s*["']?${KEY}["']?\s*(?::|=>?)[ \t]*(?:"[^"\n]{0,80}|'[^'\n]{0,80}|[^"'\n]{0,80}))$`,
  'u',
);
/** Of these, whole keys: `alert.action` is the label of one. */
const OF_AN_ORDER =
  /^(?:action|acci?on|acao|azione|aktion|befehl|command|commande?|comando|komut|polecenie|komenda|task|tarea|tarefa|tache|aufgabe|compito|target|objet|objeto|object|oggetto|objekt|ziel|scope|alcance|order|orden|ordre|ordine|ordem|instructions?|instruccion(?:es)?|anweisung(?:en)?|prompt|then|luego|dann|puis|poi|step\d*|paso\d*|schritt\d*|output|salida|ausgabe|sortie|say|role|verb|what|do)$/iu;
