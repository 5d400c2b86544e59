/**
 * Reads a stream that was sent as one body of JSON: as a list of its chunks (Gemini, unless asked for events), or line by
 * line. A client puts the texts of its chunks together, so what they say together is read as well.
 */
import { isJsonObject } from '../domain/json-object.ts';
import { readLiterals } from '../text/strings.ts';
import { parsed } from './channel-names.ts';
import { readToChannels, type Channels } from './events.ts';
import { IGNORE_ALL, type PassageCollector } from './passages.ts';
import type { JsonReading } from './read-json.ts';

/** Adds what several chunks say in one channel. All strings of the text were added as passages before. */
export function readChunks(text: string, reading: JsonReading, into: PassageCollector): void {
  const documents = documentsIn(text);
  if (documents.length < 2) return;
  const channels: Channels = new Map();
  const asOne: JsonReading = { ...reading, documents: 'one', turns: undefined };
  for (const data of documents) readToChannels(data, asOne, channels, IGNORE_ALL, recordOf(data));
  for (const { texts, role, where } of channels.values())
    if (texts.length > 1) into.addAssembled(texts.join(''), role, where);
}

/** The objects that follow one another in the text, or in its list. */
function documentsIn(text: string): string[] {
  const documents: string[] = [];
  let depth = 0;
  let start = -1;
  let outermost = 0;
  const end = (at: number): void => {
    const document = text.slice(start, at);
    if (document.includes('"')) documents.push(document);
    start = -1;
  };
  readLiterals(
    text,
    {
      levels: 2,
      open: (object, at) => {
        depth += 1;
        if (start !== -1 || !object) return;
        start = at;
        outermost = depth;
      },
      close: (at) => {
        if (start !== -1 && depth === outermost) end(at + 1);
        depth -= 1;
      },
      key: readOn,
      value: readOn,
      scalars: () => {},
      number: null,
    },
    'many',
  );
  if (start !== -1) end(text.length);
  return documents;
}

const readOn = (): boolean => true;

const MAY_BE_RECORD = /"(?:custom_)?id"\s{0,8}:/;

/** The records of a list have names of their own. The chunks of one answer have the name of the answer, or none. */
function recordOf(data: string): string {
  const document = MAY_BE_RECORD.test(data) ? parsed(data) : null;
  return isJsonObject(document) ? `${JSON.stringify([document['id'], document['custom_id']])} ` : NO_RECORD;
}

const NO_RECORD = '[null,null] ';
