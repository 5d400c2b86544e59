/** Walks a JSON-ish text along a grammar of places and gives its strings to the passages, labelled. */
import { unescape } from '../text/escapes.ts';
import { readLiterals, type Documents } from '../text/strings.ts';
import type { Role } from '../domain/passage.ts';
import { CLAIMED, SMALL_CHARS, type Passages } from './passages.ts';
import { INSIDE, OPAQUE, type Place } from './place.ts';
import { whereIs } from './where.ts';
import { roleOf, sayRole, sayType, type Pending, type Scope } from './speaker.ts';
import { readValue } from './read-value.ts';
import type { Turns } from './turns.ts';

/** Deeper down the labels of this depth hold; text is read at any depth. */
const MAX_LABELLED_DEPTH = 64;
/** Longer than any key of any grammar. */
const MAX_KEY_CHARS = 32;
/** In the document, in an array of it, in one of its elements. */
const TURN = 3;
/** Strings of one message that wait for its role to be known. */
const MAX_PENDING = 4096;

/** Keys and kinds of the wires themselves, which say nothing wherever they stand. */
const WIRE_WORDS: ReadonlySet<string> = new Set(
  (
    'role type model stream temperature top_p max_tokens max_completion_tokens name id description parameters properties ' +
    'required strict tool_call_id tool_calls tool_use_id tool_use tool_result input_text output_text input_schema ' +
    'cache_control ephemeral function object string image_url url input_image input_audio input_file base64 ' +
    'choices index delta'
  ).split(' '),
);

export interface JsonReading {
  readonly root: Place;
  readonly documents: Documents;
  /** Keys match in any case, as in upstreams written in Go. */
  readonly caseless: boolean;
  /** Whether roles that soften the policy may be believed at all. */
  readonly trusted: boolean;
  /** Who wrote the text as a whole, when its structure is not sound. */
  readonly role: Role;
  /** Noted for who asks. */
  readonly turns?: Turns | undefined;
}

const NOTHING = 0;
const ROLE = 1;
const TYPE = 2;

/** Returns whether the text is a document as JSON.parse would read it, and nothing besides. */
export function readJson(text: string, reading: JsonReading, into: Passages): boolean {
  const { root, caseless } = reading;
  if (!into.hasRoomFor(text)) return false;
  const mark = into.mark();
  let depth = 0;
  const places: Place[] = [root];
  const scopes: (Scope | null)[] = [newScope(root, null, into)];
  const objects: boolean[] = [false];
  const names: string[] = [''];
  const indexes: number[] = [0];
  /** The place of the value that comes next, and what that value would say. */
  let next = root;
  let says = NOTHING;
  let tokensAt = -1;
  const { turns } = reading;
  let array = 0;
  const turn = { from: 0, before: 0, together: 0 };
  const isTurn = (): boolean => depth === TURN && objects[TURN]! && !objects[TURN - 1]! && places[TURN]!.message;

  /** Made when first needed: a bomb of empty objects makes none. */
  const scopeHere = (): Scope => {
    const level = Math.min(depth, MAX_LABELLED_DEPTH);
    let made = level;
    while (scopes[made] === null) made--;
    for (; made < level; made++) {
      const place = places[made + 1]!;
      const outer = scopes[made]!;
      scopes[made + 1] = objects[made + 1] && hasSay(place) ? newScope(place, outer, into) : outer;
    }
    return scopes[level]!;
  };
  const take = (text: string, at: Place): void => {
    if (text === '') return;
    const scope = scopeHere();
    const named = at.text;
    const locate = (named || text.length > SMALL_CHARS) && !into.full();
    const where = locate ? whereIs(names, indexes, objects, Math.min(depth, MAX_LABELLED_DEPTH)) : '';
    const message = scope.message;
    if (message === null) deliver({ text, scope, role: at.role, named, where }, 0, at.role ?? roleOf(scope), into);
    else {
      message.pending ??= [];
      message.pending.push({ text, scope, role: at.role, named, where });
      if (message.pending.length >= MAX_PENDING) settle(message, true, into);
    }
  };

  const sound = readLiterals(
    text,
    {
      levels: MAX_LABELLED_DEPTH + 1,
      open: (object, at) => {
        says = NOTHING;
        const place = next;
        if (depth < MAX_LABELLED_DEPTH) {
          if (depth > 0 && !objects[depth]) indexes[depth]!++;
          const level = depth + 1;
          places[level] = place;
          scopes[level] = null;
          objects[level] = object;
          names[level] = '';
          indexes[level] = -1;
        }
        depth++;
        if (object && depth <= MAX_LABELLED_DEPTH) next = place.rest;
        if (turns === undefined) return;
        if (depth === TURN - 1) array = at;
        else if (isTurn()) {
          turn.from = at;
          turn.before = into.messages();
          turn.together = into.together();
        }
      },
      close: (at) => {
        if (depth <= MAX_LABELLED_DEPTH) {
          const scope = scopes[depth];
          if (places[depth]!.message && objects[depth] && scope != null) settle(scope, false, into);
          if (turns !== undefined && isTurn()) {
            const { from, before, together } = turn;
            const [last, alone] = [into.messages(), into.together() === together];
            turns.list.push({ from, to: at + 1, array, index: indexes[TURN - 1]!, before, last, alone });
          }
          if (tokensAt >= depth) tokensAt = -1;
        }
        depth--;
        if (depth <= MAX_LABELLED_DEPTH) next = places[depth]!;
        says = NOTHING;
      },
      key: (key) => {
        const level = Math.min(depth, MAX_LABELLED_DEPTH);
        const place = places[level]!;
        let silent = place.opaque;
        says = NOTHING;
        if (depth <= MAX_LABELLED_DEPTH) {
          names[depth] = key;
          const known = lookUp(place, key, caseless);
          next = known ?? (place.hides?.(key) === true ? OPAQUE : place.rest);
          if (place.speakers !== null || place.types !== null) says = claim(key, place, scopeHere, caseless);
          silent ||= known !== undefined;
        }
        if (!silent && !WIRE_WORDS.has(key)) take(key, INSIDE);
        return into.spendString();
      },
      value: (string) => {
        const level = Math.min(depth, MAX_LABELLED_DEPTH);
        if (!objects[level]) indexes[level]!++;
        if (says !== NOTHING) {
          (says === ROLE ? sayRole : sayType)(scopeHere(), string);
          says = NOTHING;
          if (isKnown(string, places[level]!)) return into.spendString();
        }
        if (next.opaque) return into.spendString();
        if (next.elsewhere !== null && isElsewhere(next.elsewhere, string)) into.count(next.elsewhere);
        take(string, next);
        return into.spendString();
      },
      scalars: (count, numbers) => {
        says = NOTHING;
        const level = Math.min(depth, MAX_LABELLED_DEPTH);
        if (objects[level]) return;
        indexes[level]! += count;
        if (!next.tokens || tokensAt === depth || !numbers) return;
        tokensAt = depth;
        into.count('token-ids');
      },
    },
    reading.documents,
  );

  if (into.overflowed()) return false;
  for (const scope of scopes) if (scope?.message != null) settle(scope.message, false, into);
  if (!sound) into.add(unescape(text), reading.role, '(whole body)', into.nextMessage());
  if (!sound || !reading.trusted) into.distrust(mark);
  if (turns !== undefined) {
    turns.text = text;
    turns.sound = sound;
  }
  return sound;
}

/** Other objects need no scope of their own: what holds around them holds in them. */
function hasSay(place: Place): boolean {
  return place.message || place.role !== null || place.types !== null || place.speakers !== null;
}

function newScope(place: Place, parent: Scope | null, into: Passages): Scope {
  const opens = place.message;
  const scope: { -readonly [name in keyof Scope]: Scope[name] } = {
    place,
    role: place.role,
    parent,
    message: parent?.message ?? null,
    number: opens ? into.nextMessage() : (parent?.number ?? 0),
    pending: null,
    roleKeys: 0,
    roleStrings: 0,
    saidRole: null,
    saidType: null,
    conflict: false,
  };
  if (opens) scope.message = scope;
  return scope;
}

/** What the value of this key will say about its object. A key in another case is a claim that only some parsers see. */
function claim(key: string, place: Place, scopeHere: () => Scope, caseless: boolean): number {
  if (key.length !== 4) return NOTHING;
  const name = key.toLowerCase();
  const says =
    name === 'role' && place.speakers !== null ? ROLE : name === 'type' && place.types !== null ? TYPE : NOTHING;
  if (says === NOTHING || place.speakers === null) return says;
  const scope = scopeHere();
  if (says === ROLE) scope.roleKeys++;
  if (key !== name && !caseless) scope.conflict = true;
  return says;
}

/** A role or type out of the grammar is no text of the sender's. */
function isKnown(word: string, { speakers, types }: Place): boolean {
  return word === 'text' || speakers?.has(word) === true || types?.has(word) === true || WIRE_WORDS.has(word);
}

/**
 * Hands over what waits for the role of the message. Before its end only when too much waits already, and then
 * what may still turn out to be a false claim is not believed.
 */
function settle(message: Scope, early: boolean, into: Passages): void {
  if (message.pending === null) return;
  for (const pending of message.pending) {
    const role = pending.role ?? roleOf(pending.scope);
    deliver(pending, pending.scope.number, early && CLAIMED.has(role) ? 'other' : role, into);
  }
  message.pending = null;
}

function deliver(pending: Pending, message: number, role: Role, into: Passages): void {
  const { text, scope, where } = pending;
  // The text of a document part stands under `data`, where files of other kinds stand as well; its type tells.
  const named = pending.named || scope.saidType === 'text';
  readValue(text, { role, where, message, named }, into);
}

function lookUp({ keys }: Place, key: string, caseless: boolean): Place | undefined {
  if (keys.size === 0 || key.length > MAX_KEY_CHARS) return undefined;
  return keys.get(key) ?? (caseless ? keys.get(key.toLowerCase()) : undefined);
}

function isElsewhere(kind: string, value: string): boolean {
  return kind === 'remote-file' ? /^(https?|gs|s3|file):/i.test(value) : value !== '';
}
