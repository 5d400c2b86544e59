import { isAttack, isBlocked, isFound, isSeen, type Judged } from './judge.ts';
import { matchesPattern } from './name-pattern.ts';
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

/** The figures that a floor may limit, by their key in a floor file. */
export const BARS = ['blocked', 'seen', 'found', 'falsePositives'] as const;

export interface BrokenFloor {
  readonly name: string;
  readonly what: (typeof BARS)[number] | 'nothing measured';
  readonly bar: number | null;
  readonly is: number | null;
  /** The ids of the texts on the wrong side of the floor. */
  readonly ids: readonly string[];
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
  return matchesPattern(corpus, wanted) && (part === undefined || matchesPattern(subtype, part));
}

/** Tolerance for rounding: half of the last digit that is shown. */
const HALF_A_DIGIT = 0.005;

/** The floors that these corpora do not meet. A floor without any text counts as broken. */
export function brokenFloors(floors: readonly Floor[], corpora: readonly CorpusRun[]): readonly BrokenFloor[] {
  return floors.flatMap((floor): BrokenFloor[] => {
    const rows = rowsUnder(floor, corpora);
    const attacks = rows.filter(isAttack);
    const benign = rows.filter((row) => !isAttack(row));
    const missing = (floor.falsePositives !== undefined ? benign.length : attacks.length) === 0;
    if (missing) return [{ name: floor.name, what: 'nothing measured', bar: null, is: null, ids: [] }];
    const least = (what: 'blocked' | 'seen' | 'found', is: (row: Judged) => boolean): BrokenFloor[] => {
      const bar = floor[what];
      const share = shareOf(attacks.filter(is).length, attacks.length);
      if (bar === undefined || share === null || share >= bar - HALF_A_DIGIT) return [];
      return [{ name: floor.name, what, bar, is: share, ids: idsOf(attacks.filter((row) => !is(row))) }];
    };
    const bar = floor.falsePositives;
    const share = shareOf(benign.filter(isBlocked).length, benign.length);
    const most: BrokenFloor[] =
      bar === undefined || share === null || share <= bar + HALF_A_DIGIT
        ? []
        : [{ name: floor.name, what: 'falsePositives', bar, is: share, ids: idsOf(benign.filter(isBlocked)) }];
    return [...least('blocked', isBlocked), ...least('seen', isSeen), ...least('found', isFound), ...most];
  });
}

function idsOf(rows: readonly Judged[]): readonly string[] {
  return rows.map(({ id }) => id);
}
