import { isAttack, isBlocked, isFound, isSeen, type Judged } from './judge.ts';

/** The number of attacks and benign texts in a group, and what was done with them. */
export interface Tally {
  readonly attacks: number;
  readonly blockedAttacks: number;
  readonly seenAttacks: number;
  /** Attacks with any finding. One that is found but not seen needs a higher confidence, not another pattern. */
  readonly foundAttacks: number;
  readonly benign: number;
  readonly blockedBenign: number;
  readonly seenBenign: number;
  readonly refused: number;
}

export function tallyOf(rows: readonly Judged[]): Tally {
  const attacks = rows.filter(isAttack);
  const benign = rows.filter((row) => !isAttack(row));
  const count = (some: readonly Judged[], is: (row: Judged) => boolean): number => some.filter(is).length;
  return {
    attacks: attacks.length,
    blockedAttacks: count(attacks, isBlocked),
    seenAttacks: count(attacks, isSeen),
    foundAttacks: count(attacks, isFound),
    benign: benign.length,
    blockedBenign: count(benign, isBlocked),
    seenBenign: count(benign, isSeen),
    refused: count(rows, ({ refused }) => refused !== undefined),
  };
}

/** `part` of `all` in percent, or null when `all` is zero. */
export function shareOf(part: number, all: number): number | null {
  return all === 0 ? null : (100 * part) / all;
}

/** The mean over corpora, unweighted: a corpus of 6,000 rows must not dominate one of 200. */
export function meanOf(shares: readonly (number | null)[]): number | null {
  const known = shares.filter((share) => share !== null);
  return known.length === 0 ? null : known.reduce((sum, share) => sum + share, 0) / known.length;
}

/** Subtypes are paths. They are cut at the greatest depth that leaves few enough groups to read. */
const MOST_GROUPS = 24;
const DEEPEST = 6;

/** Groups rows by the first `depth` parts of their subtype: at depth 2, `a/b/c` counts as `a/b`. */
export function subtypesOf(rows: readonly Judged[], depth?: number): ReadonlyMap<string, readonly Judged[]> {
  let kept = groupsAt(rows, depth ?? 1);
  for (let next = 2; depth === undefined && next <= DEEPEST; next += 1) {
    const finer = groupsAt(rows, next);
    if (finer.size > MOST_GROUPS) break;
    kept = finer;
  }
  return kept;
}

function groupsAt(rows: readonly Judged[], depth: number): ReadonlyMap<string, readonly Judged[]> {
  const groups = new Map<string, Judged[]>();
  for (const row of rows) {
    const name = row.subtype.split('/', depth).join('/');
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [row]);
    else group.push(row);
  }
  return groups;
}
