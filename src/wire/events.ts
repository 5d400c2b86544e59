/**
 * Reads a complete body of server-sent events. The text pieces of one channel are joined, even if each is a single
 * letter: `"Hel"`, `"lo"` -> `"Hello"`. A channel is a role, a place in the JSON, and the indexes in the event.
 */
import type { Role } from '../domain/passage.ts';
import { channelNames } from './channel-names.ts';
import { SMALL_CHARS, type PassageCollector } from './passages.ts';
import { firstNonBlank, opensDocument } from './document-start.ts';
import { readJson, type JsonReading } from './read-json.ts';

const FIELD = /^(data|event|id|retry)?:/;
const LONGEST_FIELD = 6;
const BYTE_ORDER_MARK = 0xfeff;

export function looksLikeEvents(text: string, type: string): boolean {
  return (
    type === 'text/event-stream' || FIELD.test(text.slice(firstNonBlank(text), firstNonBlank(text) + LONGEST_FIELD))
  );
}

/** The texts that continue each other, by the name of their channel. */
export type Channels = Map<string, EventChannel>;

interface EventChannel {
  readonly texts: string[];
  readonly role: Role;
  readonly where: string;
}

/** Adds the text of all events to the passages, one passage per channel. */
export function readEvents(text: string, reading: JsonReading, into: PassageCollector): void {
  const channels: Channels = new Map();
  const message = into.nextMessage();
  const lines: string[] = [];
  for (const data of eventData(text)) {
    if (data === '' || data === '[DONE]' || isSound(data)) continue;
    if (!opensDocument(data)) {
      into.add(data, reading.role, '(event)', message);
      lines.push(data);
      continue;
    }
    readToChannels(data, reading, channels, into);
  }
  for (const { texts, role, where } of channels.values()) into.add(texts.join(''), role, where, message);
  if (lines.length > 1) into.addAssembled(lines.join(''), reading.role, '(event)');
}

/**
 * Adds the texts of one document to the channels that they continue, and what is too small to be known as text to the
 * passages. Documents of different owners share no channel.
 */
export function readToChannels(
  data: string,
  reading: JsonReading,
  channels: Channels,
  into: PassageCollector,
  owner = '',
): void {
  const nameOf = channelNames(data);
  const collect = (piece: string, role: Role, where: string): void => {
    const name = `${owner}${role} ${nameOf(where).name}`;
    const channel = channels.get(name);
    if (channel === undefined) channels.set(name, { texts: [piece], role, where });
    else channel.texts.push(piece);
  };
  readJson(data, reading, {
    ...into,
    mark: () => 0,
    distrust: () => {},
    add: collect,
    addValue: (piece, role, where, _message, under) => {
      if (piece.length > SMALL_CHARS) collect(piece, role, where);
      else into.addValue(piece, role, where, 0, under);
    },
    addAside: (piece, role, where) => {
      if (piece.length > SMALL_CHARS) collect(piece, role, where);
      else into.addAside(piece, role, where, 0);
    },
    isFull: () => false,
  });
}

/** An event of speech: digits of sound in a place where other events have text. What is said comes in events of its own. */
const SOUND = /^\s*\{\s*"type"\s*:\s*"[\w.]{1,60}audio\.delta"/;

export function isSound(data: string): boolean {
  return SOUND.test(data);
}

/**
 * The data of each event. Lines end with CR, LF or CRLF, and several `data:` lines of one event are joined by line
 * feeds. A stream may begin with a byte order mark, which clients skip.
 */
export function* eventData(text: string): Generator<string> {
  let data: string[] = [];
  const unmarked = text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
  for (const line of unmarked.split(/\r\n|\n|\r/)) {
    if (line === '') {
      yield data.join('\n');
      data = [];
    } else if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5));
    else if (!FIELD.test(line)) yield line;
  }
  yield data.join('\n');
}
