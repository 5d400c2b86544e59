/** Extracts the pieces of model text from one frame of a stream, each with the channel that it continues. */
import type { Role } from '../domain/passage.ts';
import { eventData, indexesIn } from './events.ts';
import { opensDocument } from './opens.ts';
import type { Passages } from './passages.ts';
import type { Place } from './place.ts';
import { readJson, type JsonReading } from './read-json.ts';
import { responseGrammarOf } from './response.ts';

export interface Piece {
  /**
   * Pieces with the same channel name are joined across frames: the deltas of one choice, content block or tool call.
   */
  readonly channel: string;
  readonly role: Role;
  readonly where: string;
  readonly text: string;
  /** Whether the frame must wait until the last word of this channel is complete. */
  readonly holds: boolean;
  /** The text comes from a document inside a string, so it is no literal of the frame itself. */
  readonly nested: boolean;
}

/** How to read the frame. `json`: the frame is a whole body. */
export interface Framing {
  readonly kind: 'sse' | 'ndjson' | 'json';
  readonly path: string;
}

export function piecesOf(frame: string, { kind, path }: Framing): Piece[] {
  const grammar = responseGrammarOf(path);
  if (grammar === null) return [];
  const reading: JsonReading = {
    root: grammar.root,
    caseless: grammar.caseless,
    documents: kind === 'ndjson' ? 'many' : 'one',
    trusted: true,
    role: 'assistant',
  };
  const pieces: Piece[] = [];
  for (const data of kind === 'sse' ? eventData(frame) : [frame]) {
    // A blank NDJSON line is no text, but SSE data that is a single space separates two words.
    if ((kind === 'sse' ? data : data.trim()) === '' || data === '[DONE]') continue;
    if (opensDocument(data)) {
      readPieces(data, reading, pieces);
    } else {
      // Not JSON, so all of it may be text. It is read as separate lines, and also with the lines joined to one text.
      const raw = { role: 'assistant', where: '(event)', nested: false } as const;
      pieces.push({ ...raw, channel: 'raw', text: `${data}\n`, holds: true });
      pieces.push({ ...raw, channel: JOINED, text: data, holds: false });
    }
  }
  return pieces;
}

function readPieces(data: string, reading: JsonReading, pieces: Piece[]): void {
  const streams = indexesIn(data);
  let known = false;
  const add = (text: string, role: Role, where: string): void => {
    known = true;
    pieces.push({
      channel: `${role} ${where} ${streams}`,
      role,
      where,
      text,
      holds: true,
      nested: where.endsWith('>'),
    });
  };
  const addSmall = (text: string, role: Role): void => {
    const channel = `${role}${OF_SMALL}${streams}`;
    pieces.push({ channel, role, where: '(event)', text: `${text}\n`, holds: true, nested: false });
  };
  readJson(data, reading, { ...NOWHERE, add, addSmall });
  if (known || pieces.length === 0) return;
  // No string is at a known text place, so any string may be the one that continues from frame to frame. Frames do not
  // wait for these pieces: the same word, a type or a status say, may come with every frame, and such a text would
  // never end.
  readJson(
    data,
    { ...reading, root: textual(reading.root) },
    {
      ...NOWHERE,
      add: (text, role, where) =>
        pieces.push({
          channel: `${role}${OF_GUESSES}${where} ${streams}`,
          role,
          where,
          text,
          holds: false,
          nested: where.endsWith('>'),
        }),
    },
  );
}

/**
 * Marks in the names of channels. The name is all that goes with a piece from one step of a stream to the next, so it
 * says how the pieces of the channel are read.
 */
const JOINED = 'raw joined';
const OF_SMALL = ' small ';
const OF_GUESSES = ' grown ';

/** Whether frames wait until the text of the channel is judged. */
export function holdsFrames(channel: string): boolean {
  return !channel.includes(OF_GUESSES) && channel !== JOINED;
}

/** The text of a piece as it stands in its frame: small strings have a line end added, as they are joined line by line. */
export function asInFrame({ channel, text }: { readonly channel: string; readonly text: string }): string {
  return channel.includes(OF_SMALL) ? text.slice(0, -1) : text;
}

const textuals = new WeakMap<Place, Place>();

/** A copy of the grammar in which all places are text places, except the opaque ones. */
function textual(place: Place): Place {
  if (place.opaque) return place;
  const known = textuals.get(place);
  if (known !== undefined) return known;
  const keys = new Map<string, Place>();
  const copy: { -readonly [name in keyof Place]: Place[name] } = { ...place, text: true, keys };
  // Stored before the nested places are copied, because a place may contain itself. The recursion is shallow: the
  // grammars are fixed data and only a few places deep.
  textuals.set(place, copy);
  for (const [key, inside] of place.keys) keys.set(key, textual(inside));
  copy.rest = textual(place.rest);
  return copy;
}

/** A `Passages` that ignores everything. It has no limits, since a frame is limited by its size. */
const NOWHERE: Passages = {
  add: () => {},
  addSmall: () => {},
  mark: () => 0,
  distrust: () => {},
  nextMessage: () => 0,
  messages: () => 0,
  together: () => 0,
  count: () => {},
  spendString: () => true,
  hasRoomFor: () => true,
  full: () => false,
  overflowed: () => false,
  unscannable: {},
  finish: () => [],
};
