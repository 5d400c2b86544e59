/** Extracts the pieces of model text from one frame of a stream, each with the channel that it continues. */
import type { Role } from '../domain/passage.ts';
import type { ChannelKind } from '../domain/stream.ts';
import { channelNames } from './channel-names.ts';
import { eventData, isSound } from './events.ts';
import { opensDocument } from './document-start.ts';
import { IGNORE_ALL, SMALL_CHARS } from './passages.ts';
import type { GrammarNode } from './grammar-node.ts';
import { NAMED, readJson, type JsonReading } from './read-json.ts';
import { responseGrammarOf } from './response.ts';

export interface Piece {
  /**
   * Pieces with the same channel name are joined across frames: the deltas of one choice, content block or tool call.
   */
  readonly channel: string;
  /** Which of several answers to the request it is part of. */
  readonly answer: number;
  readonly kind: ChannelKind;
  readonly role: Role;
  readonly where: string;
  /** What the piece adds to its channel. In `small-strings` and `lines` it ends with a line feed of our own. */
  readonly text: string;
  /** The text comes from a document inside a string, so it is no literal of the frame itself. */
  readonly nested: boolean;
}

/** How to read the frame. `json`: it is a whole body. `eventstream`: it is the text of a message. */
export interface Framing {
  readonly kind: 'sse' | 'ndjson' | 'eventstream' | 'json';
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
    secrets: true,
  };
  const pieces: Piece[] = [];
  for (const data of kind === 'sse' ? eventData(frame) : [frame]) {
    // A blank NDJSON line is no text, but SSE data that is a single space separates two words.
    if ((kind === 'sse' ? data : data.trim()) === '' || data === '[DONE]' || isSound(data)) continue;
    if (opensDocument(data)) {
      readPieces(data, reading, pieces);
    } else {
      // Not JSON, so all of it may be text. It is read as separate lines, and also with the lines joined to one text.
      const raw = { answer: 0, role: 'assistant', where: '(event)', nested: false } as const;
      pieces.push({ ...raw, kind: 'lines', channel: 'lines', text: `${data}\n` });
      pieces.push({ ...raw, kind: 'joined-lines', channel: 'joined-lines', text: data });
    }
  }
  return pieces;
}

function readPieces(data: string, reading: JsonReading, pieces: Piece[]): void {
  const nameOf = channelNames(data);
  let hasText = false;
  const addPiece = (kind: ChannelKind, text: string, role: Role, where: string): void => {
    const { name, answer } = nameOf(where);
    pieces.push({ channel: `${kind} ${role} ${name}`, answer, kind, role, where, text, nested: where.endsWith('>') });
  };
  const addText = (text: string, role: Role, where: string): void => {
    hasText = true;
    addPiece('text', text, role, where);
  };
  const addUnknown = (text: string, role: Role, where: string): void => {
    // A value that is told once more with its name is whole, and no reason to guess less about the others of its frame.
    if (text.length > SMALL_CHARS && !where.endsWith(NAMED)) addText(text, role, where);
    else addPiece('small-strings', `${text}\n`, role, '(event)');
  };
  readJson(data, reading, { ...IGNORE_ALL, add: addText, addValue: addUnknown, addAside: addUnknown });
  if (hasText || pieces.length === 0) return;
  // No string is at a known text place, so any string may be the one that continues from frame to frame.
  const addGuess = (text: string, role: Role, where: string): void => addPiece('guess', text, role, where);
  readJson(
    data,
    { ...reading, root: withAllText(reading.root) },
    {
      ...IGNORE_ALL,
      add: addGuess,
      addAside: (text, role, where) => {
        if (text.length > SMALL_CHARS) addGuess(text, role, where);
      },
    },
  );
}

const allTextCache = new WeakMap<GrammarNode, GrammarNode>();

/** A copy of the grammar in which all nodes are text, except the opaque ones. */
function withAllText(node: GrammarNode): GrammarNode {
  if (node.isOpaque) return node;
  const known = allTextCache.get(node);
  if (known !== undefined) return known;
  const keys = new Map<string, GrammarNode>();
  const copy: { -readonly [name in keyof GrammarNode]: GrammarNode[name] } = { ...node, isText: true, keys };
  // Stored before the nested nodes are copied, because a node may contain itself. The recursion is shallow: the
  // grammars are fixed data and only a few nodes deep.
  allTextCache.set(node, copy);
  for (const [key, inside] of node.keys) keys.set(key, withAllText(inside));
  copy.otherKeys = withAllText(node.otherKeys);
  return copy;
}
