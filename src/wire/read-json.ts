/**
 * Reads a JSON document, well-formed or not, and adds its strings to the passages, with roles by a grammar of places.
 */
import { unescape } from '../text/escapes.ts';
import { readLiterals, type Documents } from '../text/strings.ts';
import type { Role } from '../domain/passage.ts';
import { CLAIMED, SMALL_CHARS, type Passages } from './passages.ts';
import { INSIDE, OPAQUE, type Place } from './place.ts';
import { whereIs } from './where.ts';
import { roleOf, sayRole, sayType, type Pending, type Scope } from './speaker.ts';
import { readValue } from './read-value.ts';
import type { Turns } from './turns.ts';

/** Below this depth, strings get the role of this depth. Text is read at any depth. */
const MAX_LABELLED_DEPTH = 64;
/** Longer than any key of any grammar. */
const MAX_KEY_CHARS = 32;
/** The depth of a message: the document is at depth 1, an array in it at 2, and an element of that at 3. */
const TURN = 3;
/** The most strings of one message that are held until its role is known. */
const MAX_PENDING = 4096;

/** Words of the APIs themselves. As a key, or as the value of `role` or `type`, they are not read as text. */
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
  /** Whether roles that make the policy more lenient (CLAIMED) are believed. */
  readonly trusted: boolean;
  /** The role for the text as a whole, used if it is not well-formed. */
  readonly role: Role;
  /** If given, filled in with the position of each message in the document. */
  readonly turns?: Turns | undefined;
}

const NOTHING = 0;
const ROLE = 1;
const TYPE = 2;

/** Returns whether the text is well-formed JSON with nothing after it, so that all parsers read it in the same way. */
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
  /** The place of the next value, and whether that value is the `role` or `type` of its object. */
  let next = root;
  let says = NOTHING;
  /** The depth at which token ids were counted last, so that a list of them counts once. */
  let tokensAt = -1;
  const { turns } = reading;
  let array = 0;
  const turn = { from: 0, before: 0, together: 0 };
  const isTurn = (): boolean => depth === TURN && objects[TURN]! && !objects[TURN - 1]! && places[TURN]!.message;

  /** Scopes are created when first needed, so that a bomb of empty objects creates none. */
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
  /** The key that the value stands under, also if it stands in a list under that key. */
  const keyAbove = (): string => {
    let level = Math.min(depth, MAX_LABELLED_DEPTH);
    while (level > 0 && !objects[level]) level--;
    return names[level]!;
  };
  const take = (text: string, at: Place, isKey: boolean): void => {
    if (text === '') return;
    const scope = scopeHere();
    const named = at.text;
    const locate = (named || text.length > SMALL_CHARS) && !into.full();
    const where = locate ? whereIs(names, indexes, objects, Math.min(depth, MAX_LABELLED_DEPTH)) : '';
    const under = isKey ? null : named ? '' : keyAbove();
    const message = scope.message;
    if (message === null)
      deliver({ text, scope, role: at.role, named, under, where }, 0, at.role ?? roleOf(scope), into);
    else {
      message.pending ??= [];
      message.pending.push({ text, scope, role: at.role, named, under, where });
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
        if (!silent && !WIRE_WORDS.has(key)) take(key, INSIDE, true);
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
        take(string, next, false);
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

/** Whether an object at this place needs its own scope. Otherwise it shares the scope of the surrounding object. */
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

/**
 * Whether the value of this key is the role or type of its object. A key in another case, such as `Role`, has that
 * meaning only for some parsers, so it counts as a conflict.
 */
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

/** Whether the value is a role or type name of the API. These are not added as text. */
function isKnown(word: string, { speakers, types }: Place): boolean {
  return word === 'text' || speakers?.has(word) === true || types?.has(word) === true || WIRE_WORDS.has(word);
}

/**
 * Adds the strings that were held until the role of the message is known. `early`: before the end of the message,
 * because too many strings are held. A later key may still contradict the role then, so roles that make the policy more
 * lenient are not believed.
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
  const { text, scope, where, under } = pending;
  // A document part has its text under `data`, where other parts have files. The type of the part tells them apart.
  const named = pending.named || (scope.saidType === 'text' && under !== null);
  readValue(text, { role, where, message, named, under }, into);
}

function lookUp({ keys }: Place, key: string, caseless: boolean): Place | undefined {
  if (keys.size === 0 || key.length > MAX_KEY_CHARS) return undefined;
  return keys.get(key) ?? (caseless ? keys.get(key.toLowerCase()) : undefined);
}

function isElsewhere(kind: string, value: string): boolean {
  return kind === 'remote-file' ? /^(https?|gs|s3|file):/i.test(value) : value !== '';
}
