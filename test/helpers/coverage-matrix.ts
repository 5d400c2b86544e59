/** Runs the coverage matrix, or a part of it that is the same every time, and says what became of each cell. */
import { CANARIES } from '../fixtures/payloads.ts';
import {
  bodyWith,
  CODINGS,
  endingsOf,
  FIELDS,
  LABELS,
  sendingOf,
  type Cell,
  type Field,
  type Range,
} from './coverage.ts';
import { BODIES } from './coverage-bodies.ts';
import { UNREAD } from './coverage-unread.ts';

const canaryFor = (turn: number): string => CANARIES[turn % CANARIES.length] as string;

/** Every field in every coding under every label; the canaries take turns. */
export function everyCell(): readonly Cell[] {
  return FIELDS.flatMap((field, f) =>
    CODINGS.flatMap((coding, c) => LABELS.map((label, l) => ({ field, coding, label, canary: canaryFor(f + c + l) }))),
  );
}

/** Every field in every third coding, the labels taking turns; and every canary in every field. A twelfth of the whole. */
export function sampledCells(): readonly Cell[] {
  const [coding, label] = [CODINGS[0], LABELS[0]];
  if (coding === undefined || label === undefined) return [];
  const turns = FIELDS.flatMap((field, f) =>
    CODINGS.flatMap((each, c) => {
      const turn = { field, coding: each, label: LABELS[(f + c) % LABELS.length] ?? label, canary: canaryFor(f + c) };
      return (f + c) % 3 === 0 ? [turn] : [];
    }),
  );
  return [...turns, ...FIELDS.flatMap((field) => CANARIES.map((canary) => ({ field, coding, label, canary })))];
}

export interface Count {
  blocked: number;
  refused: number;
}

export interface MatrixRun {
  readonly cells: number;
  /** By coding, then by label. */
  readonly counts: ReadonlyMap<string, ReadonlyMap<string, Count>>;
  /** What was neither blocked nor refused. */
  readonly holes: readonly string[];
}

export async function runMatrix(range: Range, cells: readonly Cell[]): Promise<MatrixRun> {
  const counts = new Map(
    CODINGS.map(({ name }) => [name, new Map(LABELS.map((label) => [label.name, { blocked: 0, refused: 0 }]))]),
  );
  const holes: string[] = [];
  await endingsOf(range, cells, sendingOf, (cell, ending) => {
    const count = counts.get(cell.coding.name)?.get(cell.label.name);
    if (count === undefined || (ending !== 'blocked' && ending !== 'refused')) holes.push(`${ending}: ${nameOf(cell)}`);
    else count[ending]++;
  });
  return { cells: cells.length, counts, holes };
}

function nameOf({ field, coding, label, canary }: Cell): string {
  return `${field.wire} ${field.path} ${coding.name}, ${label.name}: ${bodyWith(field, canary).slice(0, 300)}`;
}

export interface BodyRun {
  readonly name: string;
  readonly endings: readonly string[];
}

export async function runBodies(range: Range): Promise<readonly BodyRun[]> {
  const runs: BodyRun[] = [];
  for (const { name, sending } of BODIES) {
    const endings: string[] = [];
    for (const canary of CANARIES) endings.push((await range.send(sending(canary))).ending);
    runs.push({ name, endings });
  }
  return runs;
}

export interface UnreadRun {
  readonly name: string;
  readonly ending: string;
  readonly scanned: string;
}

export async function runUnread(range: Range): Promise<readonly UnreadRun[]> {
  const runs: UnreadRun[] = [];
  for (const { name, sending } of UNREAD) runs.push({ name, ...(await range.send(sending)) });
  return runs;
}

export interface RoleRun {
  readonly role: Field['role'];
  readonly fields: number;
  /** By what the log says was decided. */
  readonly actions: Readonly<Record<string, number>>;
  readonly forwarded: number;
}

/** What is decided about the first canary, by who seems to have written it. */
export async function runRoles(range: Range): Promise<readonly RoleRun[]> {
  const [coding, label, canary] = [CODINGS[0], LABELS[0], CANARIES[0]];
  if (coding === undefined || label === undefined || canary === undefined) return [];
  const runs = new Map<
    string,
    { role: Field['role']; fields: number; actions: Record<string, number>; forwarded: number }
  >();
  for (const field of FIELDS) {
    const before = range.guard.logs().length;
    const { ending } = await range.send(sendingOf({ field, coding, label, canary }));
    const run = runs.get(field.role) ?? { role: field.role, fields: 0, actions: {}, forwarded: 0 };
    const action = actionIn(range.guard.logs().slice(before));
    runs.set(field.role, run);
    run.fields++;
    run.actions[action] = (run.actions[action] ?? 0) + 1;
    if (ending === 'forwarded') run.forwarded++;
  }
  return [...runs.values()];
}

function actionIn(lines: readonly string[]): string {
  const exchanges = lines
    .map((line) => JSON.parse(line) as { msg: string; action?: string })
    .filter(({ msg }) => msg === 'exchange');
  return exchanges.at(-1)?.action ?? 'none';
}
