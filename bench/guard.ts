/**
 * `npm run bench -- guard`: repeats the measurements that have a committed record, and fails where a ratio is worse.
 */
import { compare, confirmed, isFailure, regressionTable, TOLERANCE, type Compared } from './regression.ts';
import { ratiosOf } from './ratios.ts';
import type { PartName, Records } from './records.ts';

export interface Guarded {
  readonly rows: readonly Compared[];
  readonly text: string;
  readonly failed: boolean;
}

/** `measure` runs a part and returns its record. It is called a second time for a part that seems to be worse. */
export async function guardRatios(
  committed: Records,
  parts: readonly PartName[],
  measure: (part: PartName) => Promise<Records>,
): Promise<Guarded> {
  const rows: Compared[] = [];
  for (const part of parts) {
    const was = ratiosOf(committed, part);
    if (Object.keys(was).length === 0) continue;
    let found = compare(was, ratiosOf(await measure(part), part));
    if (found.some(isFailure)) found = confirmed(found, compare(was, ratiosOf(await measure(part), part)));
    rows.push(...found);
  }
  const failures = rows.filter(isFailure);
  const said = failures.map(({ name, verdict, worse }) =>
    verdict === 'missing'
      ? `${name}: it is in the committed record and was not measured`
      : `${name}: ${(100 * worse!).toFixed(0)} % worse than committed; ${100 * TOLERANCE} % is allowed`,
  );
  // Having nothing to compare counts as a failure.
  if (rows.length === 0) said.push('there is no committed record with ratios to compare with');
  const text = [...(rows.length === 0 ? [] : [regressionTable(rows)]), ...said].join('\n');
  return { rows, text, failed: said.length > 0 };
}
