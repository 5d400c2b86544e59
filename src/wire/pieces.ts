/** The pieces of model text in one frame of a stream, each with the channel that it continues. */
import type { Role } from '../domain/passage.ts';
import { eventData, indexesIn } from './events.ts';
import { opensDocument } from './opens.ts';
import type { Passages } from './passages.ts';
import type { Place } from './place.ts';
import { readJson, type JsonReading } from './read-json.ts';
import { responseGrammarOf } from './response.ts';

export interface Piece {
  readonly channel: string;
  readonly role: Role;
  readonly where: string;
  readonly text: string;
  /** Whether the frame waits until the words of this channel are whole. */
  readonly holds: boolean;
  /** A document inside a string, read by itself: it has no place of its own in the frame. */
  readonly nested: boolean;
}

/** `json`: a whole body. */
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
    // A blank line is nothing, but an event of nothing but a blank stands between two words.
    if ((kind === 'sse' ? data : data.trim()) === '' || data === '[DONE]') continue;
    if (opensDocument(data)) {
      readPieces(data, reading, pieces);
    } else {
      // Nothing that we know, so all of it may be text: line by line, and as the one text that the lines may make.
      const raw = { role: 'assistant', where: '(event)', nested: false } as const;
      pieces.push({ ...raw, channel: 'raw', text: `${data}\n`, holds: true });
      pieces.push({ ...raw, channel: 'raw joined', text: data, holds: false });
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
    const channel = `${role} small ${streams}`;
    pieces.push({ channel, role, where: '(event)', text: `${text}\n`, holds: true, nested: false });
  };
  readJson(data, reading, { ...NOWHERE, add, addSmall });
  if (known || pieces.length === 0) return;
  // No place that we know: then any may be where the text grows. Frames do not wait for it, since there the same few words,
  // a kind or a state, may come with every frame and never end.
  readJson(
    data,
    { ...reading, root: textual(reading.root) },
    {
      ...NOWHERE,
      add: (text, role, where) =>
        pieces.push({
          channel: `${role} grown ${where} ${streams}`,
          role,
          where,
          text,
          holds: false,
          nested: where.endsWith('>'),
        }),
    },
  );
}

const textuals = new WeakMap<Place, Place>();

/** The same places, all of them read as text but for the opaque ones. */
function textual(place: Place): Place {
  if (place.opaque) return place;
  const known = textuals.get(place);
  if (known !== undefined) return known;
  const keys = new Map<string, Place>();
  const copy: { -readonly [name in keyof Place]: Place[name] } = { ...place, text: true, keys };
  // Before its inside is read: a place may be its own inside. The grammars are data of ours and few places deep.
  textuals.set(place, copy);
  for (const [key, inside] of place.keys) keys.set(key, textual(inside));
  copy.rest = textual(place.rest);
  return copy;
}

/** One frame is bounded by its size; the counts that bound a whole body do not apply to it. */
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
