/** Commands that work on records: draw a report, check the budgets, compare with a new run. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { budgetsHeld, budgetsTable } from './budgets.ts';
import { guardRatios } from './guard.ts';
import { thisMachine, writeRecord } from './record.ts';
import { readRecords, type PartName, type Records } from './records.ts';
import { reportMarkdown, reportPage } from './report.ts';

export function writeReport(folder: string, out: string): string[] {
  const records = readRecords(folder);
  mkdirSync(out, { recursive: true });
  const days = Object.values(records).map(({ at }) => at.slice(0, 10));
  const day = days.sort().at(-1) ?? new Date().toISOString().slice(0, 10);
  const written = [join(out, `${day}-report.html`), join(out, `${day}-report.md`)];
  writeFileSync(written[0]!, reportPage(records));
  writeFileSync(written[1]!, reportMarkdown(records));
  return written;
}

export function sayBudgets(folder: string): string {
  return budgetsTable(budgetsHeld(readRecords(folder)));
}

type Run = (part: PartName) => Promise<unknown>;

/**
 * Compares committed records with new ones. Without `fresh` the parts are run; otherwise the records in that folder
 * are used.
 */
export async function guardRecords(
  committed: string,
  parts: readonly PartName[],
  fresh: string | null,
  run: Run,
): Promise<{ text: string; failed: boolean }> {
  const measure = async (part: PartName): Promise<Records> => {
    if (fresh !== null) return readRecords(fresh);
    const folder = mkdtempSync(join(tmpdir(), 'guard-bench-fresh-'));
    try {
      const machine = thisMachine();
      const results = await run(part);
      if (results !== null) writeRecord(folder, part, machine, results);
      return readRecords(folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
  return guardRatios(readRecords(committed), parts, measure);
}
