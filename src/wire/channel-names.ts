import { isJsonObject, type JsonObject } from '../domain/json-object.ts';

/**
 * Names the channel that a text in an event continues. Texts with the same name are joined, so the name must say the same
 * of every event: which choice, item, content block or tool call it belongs to.
 */
export interface ChannelName {
  readonly name: string;
  /** Which of several answers to one request (`n: 4`) it is part of. They are told at the same time. */
  readonly answer: number;
}

/**
 * What providers call the place of an object among its like. Other numbers that are called an index say where in the text
 * a citation stands, or count the pieces.
 */
const INDEXES = ['index', 'output_index', 'content_index', 'summary_index', 'contentBlockIndex'] as const;
const INDEX = /"(?:index|(?:output|content|summary)_index|contentBlockIndex)"\s{0,8}:\s{0,8}\d{1,9}/g;
/** What makes a name depend on more than the place of the text. Nearly all events tell that they are of the first choice. */
const NEEDS_READING =
  /"index"\s{0,8}:\s{0,8}[1-9]|"(?:(?:output|content|summary)_index|contentBlockIndex|thought)"\s{0,8}:/;
/** Lists of answers, in the words of OpenAI and of Gemini. */
const ANSWERS: ReadonlySet<string> = new Set(['choices', 'candidates']);
/** All that is told is that it is the first of its kind. */
const ONLY_FIRST = /^"index":0(?:,"index":0)*$/;
/** A step of a `where` such as `choices[1].delta.content`. */
const STEP = /\[(\d+)\]|[^.[\]]+/g;
/**
 * The parts of an answer of Gemini are one text, except for thoughts. In which part it goes on depends on what else is in
 * the event.
 */
const PART = /\bparts\[\d+\]\.text$/;
const THOUGHT = 'parts[thought].text';

/** Returns the name of a text by its `where`. `data` is the JSON of the event. */
export function channelNames(data: string): (where: string) => ChannelName {
  if (!NEEDS_READING.test(data)) return (where) => ({ name: nameOf(where, ''), answer: 0 });
  // Once for an event of any number of texts.
  const root = parsed(data);
  const indexes = indexesIn(data);
  return (where) => nameByPath(root, where) ?? { name: nameOf(where, indexes), answer: 0 };
}

function nameOf(place: string, indexes: string): string {
  // Some upstreams leave out an index of 0, or name it in the first event only.
  return `${placeOf(place)} ${ONLY_FIRST.test(indexes) ? '' : indexes}`;
}

/** The text that a block begins with in its first event goes on in the deltas of that block. */
function placeOf(where: string): string {
  if (where.startsWith('content_block.')) return `delta.${where.slice('content_block.'.length)}`;
  return where.replace(PART, 'parts[0].text');
}

/** All indexes of an event, wherever they stand: for texts that no path leads to. */
function indexesIn(data: string): string {
  return (data.match(INDEX) ?? []).join().replaceAll(/\s/g, '');
}

/** Null is what no path leads through. */
export function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return null;
  }
}

/**
 * The name of a text by the objects that it stands in: as if they were the only ones in the event, since they may be alone
 * in the next one, or stand at another place in their list. Null when `where` does not lead through the document.
 */
function nameByPath(root: unknown, where: string): ChannelName | null {
  let at: unknown = root;
  let place = '';
  let answer = 0;
  const indexes: string[] = [];
  for (const [step, position] of where.matchAll(STEP)) {
    if (position !== undefined) {
      if (!Array.isArray(at)) return null;
      at = at[Number(position)];
      const index = indexOf(at, 'index');
      if (index !== null && ANSWERS.has(place)) answer = index;
      place += index === null ? step : '[0]';
      continue;
    }
    if (!isJsonObject(at) || !Object.hasOwn(at, step)) return null;
    for (const key of INDEXES) {
      const index = indexOf(at, key);
      if (index !== null && !numbersTokens(at)) indexes.push(`"${key}":${index}`);
    }
    if (step === 'text' && at['thought'] === true && PART.test(where)) return { name: `${THOUGHT} ${answer}`, answer };
    place += place === '' ? step : `.${step}`;
    at = at[step];
  }
  return { name: nameOf(place, indexes.join()), answer };
}

/** Servers of Hugging Face number the tokens of a text: that is no text of its own. */
function numbersTokens(object: JsonObject): boolean {
  return isJsonObject(object['token']);
}

function indexOf(value: unknown, key: (typeof INDEXES)[number]): number | null {
  const index = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : null;
  return Number.isInteger(index) && (index as number) >= 0 ? (index as number) : null;
}
