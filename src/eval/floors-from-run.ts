import { rowsUnder, type Floor } from './floors.ts';
import { isAttack, isBlocked, isFound, isSeen, type Judged } from './judge.ts';
import type { CorpusRun } from './record.ts';
import { shareOf } from './tally.ts';

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
export function floorsFromRun(corpora: readonly CorpusRun[], before: readonly Floor[]): readonly Floor[] {
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
