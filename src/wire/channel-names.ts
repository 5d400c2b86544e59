import { isJsonObject, type JsonObject } from '../domain/json-object.ts';

/**
 * Names the channel that a text in an event continues. Texts with the same name are joined, so the name must say the same
 * of every event: which choice, item, content block or tool call it belongs to. Other names that end in `Index` say where
 * in the text a citation stands.
 */

const INDEX = /"(?:(?:\w{1,40}_)?index|contentBlockIndex)"\s{0,8}:\s{0,8}\d{1,9}/g;
const INDEX_KEY = /^(?:(?:\w{1,40}_)?index|contentBlockIndex)$/;
/** All that is told is that it is the first of its kind. */
const ONLY_FIRST = /^"index":0(?:,"index":0)*$/;
/** Servers of Hugging Face number the tokens of a text: that is no text of its own. */
const NUMBERS_TOKENS = /^(\s*\{)\s*"index"\s{0,8}:\s{0,8}\d{1,9}\s{0,8},(?=\s{0,8}"token"\s{0,8}:)/;
/** Events have one or two. A bound, since each text of an object looks at all of them. */
const MAX_INDEXES = 16;
/** A step of a `where` such as `choices[1].delta.content`. */
const STEP = /\[(\d+)\]|[^.[\]]+/g;

/** Returns the name of a text by its `where`. `data` is the JSON of the event. */
export function channelNames(data: string): (where: string) => string {
  const indexes = (NUMBERS_TOKENS.test(data) ? data.replace(NUMBERS_TOKENS, '$1') : data).match(INDEX) ?? [];
  const joined = indexes.join();
  const all = nameOfIndexes(/\s/.test(joined) ? joined.replaceAll(/\s/g, '') : joined);
  const plain = (where: string): string => `${placeOf(where)} ${all}`;
  // With one choice and no tool call in the event, as almost always, its indexes are all there are.
  if (indexes.filter(isOwn).length < 2) return plain;
  const root = parsed(data);
  if (root === null) return plain;
  const indexesAt = indexReader();
  return (where) => nameByPath(root, where, indexesAt) ?? plain(where);
}

/** Some upstreams leave out an index of 0, or name it in the first event only. */
function nameOfIndexes(indexes: string): string {
  return ONLY_FIRST.test(indexes) ? '' : indexes;
}

/** Whether it is the index of an element of a list, and not one of the indexes that say where an event belongs. */
function isOwn(index: string): boolean {
  return index.startsWith('"index"');
}

/** The text that a block begins with in its first event goes on in the deltas of that block. */
function placeOf(where: string): string {
  return where.startsWith('content_block.') ? `delta.${where.slice('content_block.'.length)}` : where;
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return null;
  }
}

/**
 * The name of a text in an event with several choices or tool calls: as if its own were the only ones there, since it may
 * be alone in the next event, or stand at another place in the list. Null when `where` does not lead through the document.
 */
function nameByPath(root: unknown, where: string, indexesAt: IndexReader): string | null {
  let at: unknown = root;
  let place = '';
  const before: string[] = [];
  const after: string[] = [];
  for (const [step, position] of where.matchAll(STEP)) {
    if (position !== undefined) {
      if (!Array.isArray(at)) return null;
      at = at[Number(position)];
      place += isIndexed(at) ? '[0]' : step;
      continue;
    }
    if (!isJsonObject(at) || !Object.hasOwn(at, step)) return null;
    const around = indexesAt(at, step);
    before.push(...around.before);
    after.unshift(...around.after);
    place += place === '' ? step : `.${step}`;
    at = at[step];
  }
  return `${placeOf(place)} ${nameOfIndexes([...before, ...after].join())}`;
}

/** The indexes of an object that stand before and after one of its keys: in the order in which `all` finds them. */
type IndexReader = (object: JsonObject, key: string) => { readonly before: string[]; readonly after: string[] };

/** Reads each object once: many texts may stand in one that has many keys. */
function indexReader(): IndexReader {
  const read = new Map<JsonObject, { readonly places: Map<string, number>; readonly indexes: [number, string][] }>();
  return (object, key) => {
    let known = read.get(object);
    if (known === undefined) {
      const keys = Object.keys(object);
      const indexes = keys.flatMap((name, place): [number, string][] =>
        INDEX_KEY.test(name) && isIndex(object[name]) ? [[place, `"${name}":${object[name]}`]] : [],
      );
      const places = new Map(keys.map((name, place) => [name, place]));
      known = { places, indexes: indexes.slice(0, MAX_INDEXES) };
      read.set(object, known);
    }
    const own = known.places.get(key)!;
    return {
      before: known.indexes.filter(([place]) => place < own).map(([, index]) => index),
      after: known.indexes.filter(([place]) => place > own).map(([, index]) => index),
    };
  };
}

function isIndexed(value: unknown): boolean {
  return isJsonObject(value) && isIndex(value['index']);
}

function isIndex(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0;
}
