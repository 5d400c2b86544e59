import { isAttack, isBlocked, isFound, isSeen, type Judged } from './judge.ts';
import { areMarks, type Marks } from './marks.ts';
import { fits } from './names.ts';
import type { CorpusRun } from './record.ts';
import { shareOf } from './tally.ts';

/**
 * A minimum that detection must reach, in percent of the texts selected by `of`. An entry of `of` is a corpus or a
 * part of one as `corpus:subtype`. `*` stands for any part of a name, and a leading `!` excludes.
 */
export interface Floor {
  readonly name: string;
  readonly of: readonly string[];
  /** The least share of attacks that is blocked. `seen` is the same for any action other than allow. */
  readonly blocked?: number;
  readonly seen?: number;
  /** The same for attacks in which anything is found, whatever the score. */
  readonly found?: number;
  /** The largest share of benign texts that is blocked. */
  readonly falsePositives?: number;
}

export interface Broken {
  readonly name: string;
  readonly what: (typeof BARS)[number] | 'nothing measured';
  readonly bar: number | null;
  readonly is: number | null;
  /** The ids of the texts on the wrong side of the floor. */
  readonly ids: readonly string[];
}

/** The content of a floor file: the floors, and the action for each text when they were written. */
export interface Line {
  readonly floors: readonly Floor[];
  readonly marks: Readonly<Record<string, Marks>>;
}

/** Parses a floor file. Returns a message if it is invalid. */
export function lineFrom(text: string): Line | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'is not JSON';
  }
  const { floors, marks = {} } = (value ?? {}) as { floors?: unknown; marks?: unknown };
  if (!Array.isArray(floors)) return "needs a list under the key 'floors'";
  for (const [at, floor] of floors.entries()) {
    const problem = problemOf(floor);
    if (problem !== null) return `floors[${at}] ${problem}`;
  }
  if (!areMarks(marks)) return "has 'marks' that --write-floors did not write";
  return { floors: floors as readonly Floor[], marks };
}

const BARS = ['blocked', 'seen', 'found', 'falsePositives'] as const;

function problemOf(floor: unknown): string | null {
  if (typeof floor !== 'object' || floor === null) return 'must be an object';
  const { name, of, ...bars } = floor as Readonly<Record<string, unknown>>;
  if (typeof name !== 'string') return "needs a 'name'";
  if (!Array.isArray(of) || of.length === 0 || !of.every((one) => typeof one === 'string'))
    return "needs a list of corpora under the key 'of'";
  for (const [key, bar] of Object.entries(bars)) {
    if (!BARS.includes(key as (typeof BARS)[number]))
      return `has '${key.slice(0, 40)}', which is none of ${BARS.join(', ')}`;
    if (typeof bar !== 'number' || !(bar >= 0 && bar <= 100)) return `${key} must be a number from 0 to 100`;
  }
  return Object.keys(bars).length === 0 ? `needs one of ${BARS.join(', ')}` : null;
}

/** The floors that cover several corpora or a part of one. No other table has their figures. */
export function groupsOf(floors: readonly Floor[]): readonly Floor[] {
  return floors.filter(({ name, of }) => of.length > 1 || of[0] !== name);
}

/** The texts that a floor selects. */
export function rowsUnder({ of }: Pick<Floor, 'of'>, corpora: readonly CorpusRun[]): readonly Judged[] {
  const [wanted, left] = [of.filter((one) => !one.startsWith('!')), of.filter((one) => one.startsWith('!'))];
  return corpora.flatMap(({ name, rows }) =>
    rows.filter(
      (row) =>
        wanted.some((one) => covers(one, name, row.subtype)) &&
        !left.some((one) => covers(one.slice(1), name, row.subtype)),
    ),
  );
}

function covers(pattern: string, corpus: string, subtype: string): boolean {
  const [wanted = '', part] = pattern.split(':', 2);
  return fits(corpus, wanted) && (part === undefined || fits(subtype, part));
}

/** Tolerance for rounding: half of the last digit that is shown. */
const HALF_A_DIGIT = 0.005;

/** The floors that these corpora do not meet. A floor without any text counts as broken. */
export function brokenFloors(floors: readonly Floor[], corpora: readonly CorpusRun[]): readonly Broken[] {
  return floors.flatMap((floor): Broken[] => {
    const rows = rowsUnder(floor, corpora);
    const attacks = rows.filter(isAttack);
    const benign = rows.filter((row) => !isAttack(row));
    const missing = (floor.falsePositives !== undefined ? benign.length : attacks.length) === 0;
    if (missing) return [{ name: floor.name, what: 'nothing measured', bar: null, is: null, ids: [] }];
    const least = (what: 'blocked' | 'seen' | 'found', is: (row: Judged) => boolean): Broken[] => {
      const bar = floor[what];
      const share = shareOf(attacks.filter(is).length, attacks.length);
      if (bar === undefined || share === null || share >= bar - HALF_A_DIGIT) return [];
      return [{ name: floor.name, what, bar, is: share, ids: idsOf(attacks.filter((row) => !is(row))) }];
    };
    const bar = floor.falsePositives;
    const share = shareOf(benign.filter(isBlocked).length, benign.length);
    const most: Broken[] =
      bar === undefined || share === null || share <= bar + HALF_A_DIGIT
        ? []
        : [{ name: floor.name, what: 'falsePositives', bar, is: share, ids: idsOf(benign.filter(isBlocked)) }];
    return [...least('blocked', isBlocked), ...least('seen', isSeen), ...least('found', isFound), ...most];
  });
}

function idsOf(rows: readonly Judged[]): readonly string[] {
  return rows.map(({ id }) => id);
}

/**
 * Margin below the measured recall, in percentage points, and above the measured false positives, in texts. It
 * tolerates one or two texts at the threshold, but not a trade of recall for false positives.
 */
const RECALL_MARGIN = 1;
const MARGIN_TEXTS = 1;

/**
 * The floors as this run sets them: one for each corpus, and those of earlier groups. Groups keep their `of` and
 * which figures they limit.
 */
export function floorsOf(corpora: readonly CorpusRun[], before: readonly Floor[]): readonly Floor[] {
  const names = new Set(before.map(({ name }) => name));
  const fresh = corpora
    .filter(({ name }) => !names.has(name))
    .map(({ name, rows }) => measured({ name, of: [name], ...barsFor(rows) }, rows));
  return [...before.map((floor) => remeasured(floor, corpora)), ...fresh].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A floor for which this run has no texts stays as it is. */
function remeasured(floor: Floor, corpora: readonly CorpusRun[]): Floor {
  const rows = rowsUnder(floor, corpora);
  return rows.length === 0 ? floor : measured(floor, rows);
}

function barsFor(rows: readonly Judged[]): Partial<Floor> {
  const attacks = rows.some(isAttack);
  const benign = rows.some((row) => !isAttack(row));
  return { ...(attacks ? { blocked: 0, seen: 0 } : {}), ...(benign ? { falsePositives: 0 } : {}) };
}

function measured(floor: Floor, rows: readonly Judged[]): Floor {
  const attacks = rows.filter(isAttack);
  const benign = rows.filter((row) => !isAttack(row));
  const least = (is: (row: Judged) => boolean): number =>
    Math.max(0, Math.floor(10 * ((shareOf(attacks.filter(is).length, attacks.length) ?? 0) - RECALL_MARGIN)) / 10);
  const most = shareOf(benign.filter(isBlocked).length + MARGIN_TEXTS, benign.length) ?? 0;
  return {
    name: floor.name,
    of: floor.of,
    ...(floor.blocked === undefined ? {} : { blocked: least(isBlocked) }),
    ...(floor.seen === undefined ? {} : { seen: least(isSeen) }),
    ...(floor.found === undefined ? {} : { found: least(isFound) }),
    ...(floor.falsePositives === undefined ? {} : { falsePositives: Math.min(100, Math.ceil(100 * most) / 100) }),
  };
}
