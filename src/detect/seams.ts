import { LENIENT_ROLES } from '../domain/passage.ts';
import type { Passage, Role } from '../domain/passage.ts';
import { endOfStart, startOfEnd, weightWithin } from './reach.ts';

/** A text that is judged as one: a passage, or several joined at a seam. */
export interface Unit {
  readonly text: string;
  readonly role: Role;
  readonly where: string;
}

/**
 * Where texts meet that the upstream will read as one: parts of a message, and consecutive messages of a sender. Only
 * what is close to a cut is repeated, so that a thousand parts cost a thousand short seams and not a second copy of all
 * text.
 */
export interface Seam {
  readonly parts: readonly Passage[];
  /** What is kept on each side of a cut, in characters that say something (reach.ts). */
  readonly reach: number;
  /**
   * The parts have one author and nothing between them: reading the passages in order, joined by line ends, has read
   * the seam with a blank at each cut.
   */
  readonly inOrder: boolean;
}

/** Parts of a message are meant to be read together; turns only happen to follow one another. */
const PART_REACH = 512;
export const TURN_REACH = 160;
/** Over values, which stand between the texts of most agents: with twice as much a history of theirs took a tenth longer. */
const OVER_VALUES = 80;
/**
 * Turns of one word each are joined again only when so much was said anew. Joined at every turn, a chat of "yes" and "no"
 * would be read eighty times over.
 */
const LEAST_NEWS = TURN_REACH / 2;

/** Not blank. */
export function isSaid({ text }: Passage): boolean {
  return text.trim() !== '';
}

export function seamsOf(all: readonly Passage[]): Seam[] {
  // A blank text does not keep its neighbors apart. One of signs alone may be a piece of code: morse, or invisible bits.
  const passages = all.filter(isSaid);
  const seams: Seam[] = [];
  const saidBy = new Map<Role, Said>();
  let start = 0;
  const close = (end: number): void => {
    if (end - start > 1) {
      const parts = passages.slice(start, end);
      seams.push({ parts, reach: PART_REACH, inOrder: isOfOne(parts) });
      const texts = textsAround(parts, () => true);
      if (texts !== null) seams.push({ parts: texts, reach: OVER_VALUES, inOrder: false });
    }
    start = end;
  };
  const join = ({ turns, isNew }: Said): void => {
    if (!isNew || turns.length < 2) return;
    const inOrder = turns.every((at, i) => i === 0 || at === turns[i - 1]! + 1);
    const parts = turns.map((at) => passages[at]!);
    seams.push({ parts, reach: TURN_REACH, inOrder });
    // What meets within one message is read there.
    const texts = textsAround(parts, (one, next) => one.message !== next.message);
    if (texts !== null) seams.push({ parts: texts, reach: OVER_VALUES, inOrder: false });
  };
  for (const [i, passage] of passages.entries()) {
    if (i > 0 && passages[i - 1]!.message !== passage.message) close(i);
    const said = saidBy.get(passage.role);
    if (said === undefined) {
      saidBy.set(passage.role, { turns: [i], length: 0, sinceJoined: 0, isNew: false });
      continue;
    }
    said.isNew ||= passages[said.turns.at(-1)!]!.message !== passage.message;
    said.turns.push(i);
    const weight = weightOf(passage);
    said.length += weight;
    said.sinceJoined += weight;
    if (said.length < TURN_REACH || said.sinceJoined < LEAST_NEWS) continue;
    join(said);
    saidBy.set(passage.role, lastOf(said, passages));
  }
  close(passages.length);
  for (const said of saidBy.values()) join(said);
  return seams;
}

/**
 * The texts alone, where a value stands between two of them: the address of a picture between two texts of a message is
 * seen as the picture, and the texts are read as one. Null where none does.
 */
function textsAround(
  parts: readonly Passage[],
  meet: (one: Passage, next: Passage) => boolean,
): readonly Passage[] | null {
  let before: Passage | null = null;
  let isValueBetween = false;
  for (const part of parts) {
    if (part.isValue === true) isValueBetween = true;
    else {
      if (isValueBetween && before !== null && meet(before, part))
        return parts.filter(({ isValue }) => isValue !== true);
      isValueBetween = false;
      before = part;
    }
  }
  return null;
}

/** Whether it is consecutive messages that meet, and not parts of one. */
export function isOfTurns({ parts }: Seam): boolean {
  return parts[0]!.message !== parts.at(-1)!.message;
}

/** Turns of one author that follow one another, so short that a phrase may go on over several of them. */
interface Said {
  readonly turns: number[];
  /** What all turns but the first weigh (reach.ts). */
  length: number;
  /** The same of the turns that came since the last seam. */
  sinceJoined: number;
  /** Whether two messages meet in it that were not read together before. */
  isNew: boolean;
}

/** A value is little of what was said, however long: so the texts before and behind it come together. */
const OF_VALUE = 16;

/** How much of `TURN_REACH` it takes. */
export function weightOf({ text, isValue }: Passage): number {
  return weightWithin(text, isValue === true ? OF_VALUE : TURN_REACH);
}

/** Its last turns: as many as the next one may continue. */
function lastOf({ turns }: Said, passages: readonly Passage[]): Said {
  let from = turns.length - 1;
  let length = 0;
  for (; from > 0; from -= 1) {
    const weight = weightOf(passages[turns[from]!]!);
    if (length + weight >= TURN_REACH) break;
    length += weight;
  }
  return { turns: turns.slice(from), length, sinceJoined: 0, isNew: false };
}

/**
 * Whether all parts have the same author. If not, the seam is read by itself: what any of them said is found in it as the
 * strictest one's, and own-words.ts drops what is another's. Read with the passages in order, the verdict would depend
 * on whether anything else in the body calls for a closer look.
 */
function isOfOne(parts: readonly Passage[]): boolean {
  return parts.every(({ role }) => role === parts[0]!.role);
}

/** The seam with a blank at each cut ("ignore" + "previous"), and with nothing ("igno" + "re"). */
export function unitsOfSeam(seam: Seam): readonly [blank: Unit, closed: Unit] {
  const author = authorOf(seam);
  return [
    { text: joined(seam, ' '), ...author },
    { text: joined(seam, ''), ...author },
  ];
}

/**
 * The author who is judged most strictly, of those who said a part of the seam: text that meets a client's own text is
 * judged as the client's.
 */
export function authorOf({ parts }: Seam): Pick<Unit, 'role' | 'where'> {
  const first = parts[0] as Passage;
  const { role } = parts.find((part) => !LENIENT_ROLES.has(part.role)) ?? first;
  return { role, where: `${first.where}+` };
}

/**
 * What of a seam was not read with the passages in order: the parts joined by a blank, and joined by nothing where that
 * makes new words.
 */
export interface Unread {
  readonly blank: string | null;
  readonly closed: string | null;
}

export function unreadOf(seam: Seam): Unread {
  return {
    blank: seam.inOrder ? null : joined(seam, ' '),
    closed: isGrowing(seam) ? joined(seam, '') : null,
  };
}

/** Whether new words or encodings come about when the parts are joined by nothing. */
function isGrowing({ parts }: Seam): boolean {
  return parts.some(
    ({ text }, i) =>
      (i > 0 && GROWS.test(parts[i - 1]!.text.slice(-1)) && GROWS.test(text.slice(0, 1))) ||
      (i > 0 && i < parts.length - 1 && text.length < TELLING),
  );
}

/**
 * Pieces shorter than this may together be an encoding of which none has the shape, whatever characters it was cut at.
 */
const TELLING = 32;

/**
 * Where two of these characters meet, a word or an encoding may go on. Blanks and sentence punctuation keep words
 * apart, with or without a blank in between.
 */
const GROWS = /^[^\x00-\x20.,;:!?()[\]{}"']$/;

/** Joins the parts, cut down to what is within reach of a cut. */
function joined({ parts, reach }: Seam, glue: string): string {
  let text = '';
  for (const [i, { text: part }] of parts.entries()) {
    if (i > 0) text += glue;
    if (i === 0) text += part.slice(startOfEnd(part, reach));
    else if (i === parts.length - 1) text += part.slice(0, endOfStart(part, reach));
    else {
      const [end, start] = [endOfStart(part, reach), startOfEnd(part, reach)];
      text += end >= start ? part : `${part.slice(0, end)}\n\n${part.slice(start)}`;
    }
  }
  return text;
}
