/**
 * A running contestant that has proven that it works, and how it is measured. A contestant that answers wrongly is
 * not timed.
 */
import type { Contestant } from './contestants.ts';
import type { LoadResult, LoadTask } from './load.ts';
import type { BodyShape, Target } from './load-calls.ts';
import type { Child, Usage } from './process.ts';
import { untilReady } from './ready.ts';
import type { Seen } from './upstream.ts';

export interface Entrant {
  readonly name: string;
  readonly says: string;
  readonly child: Child;
  readonly target: Target & Pick<LoadTask, 'answer' | 'scanned'>;
}

export interface Cost {
  /** CPU microseconds per call, over all threads. */
  readonly cpu: number;
  readonly main: number | null;
  /** Answered calls per second. */
  readonly perSecond: number;
  /** The share of calls refused with 503 because of overload. */
  readonly shed: number;
}

export interface Measured {
  readonly connections: number;
  readonly requests: number;
  readonly body?: BodyShape;
  /**
   * Whether calls may be refused: not when the cost is measured, but when the question is how many callers are too
   * many.
   */
  readonly mayShed?: boolean;
}

const PROOF_CALLS = 20;
/**
 * The share of timed calls that may be forwarded unscanned because of a timeout. This is caused by the machine and is
 * rare.
 */
const UNREAD_SHARE = 0.01;

/** Starts a contestant and proves that it works. */
export async function startEntrant(
  name: string,
  contestant: Contestant,
  upstream: Child,
  load: Child,
): Promise<Entrant> {
  const child = await contestant.start(upstream.port);
  const { says, prefix, headers, answer, scans } = contestant;
  try {
    if (scans === 'guard') await untilReady(child.port);
    await verifyContestant({ ...contestant, name, child }, load, upstream);
  } catch (error) {
    await child.close();
    throw error;
  }
  const target = {
    port: child.port,
    prefix,
    headers: headers?.(upstream.port) ?? [],
    answer: answer ?? 'bytes',
    scanned: scans === 'guard',
  } as const;
  return { name, says, child, target };
}

type VerifiedContestant = Pick<Contestant, 'prefix' | 'scans' | 'headers' | 'answer'> & {
  readonly name: string;
  readonly child: Child;
};

/**
 * Verifies that it answers correctly, makes one upstream call per request, keeps the bytes if it claims to, and
 * blocks an attack.
 */
export async function verifyContestant(contestant: VerifiedContestant, load: Child, upstream: Child): Promise<void> {
  const { name, child, prefix, scans, headers, answer = 'bytes' } = contestant;
  const target = { port: child.port, prefix, headers: headers?.(upstream.port) ?? [], answer };
  const before = (await upstream.ask(null)) as Seen;
  const scanned = scans === 'guard';
  const result = await run(load, { ...target, kind: 'closed', connections: 2, requests: PROOF_CALLS, scanned });
  const after = (await upstream.ask(null)) as Seen;
  if (result.answered !== PROOF_CALLS)
    throw new Error(`${name} answered ${result.answered} of ${PROOF_CALLS} calls correctly${failureReasons(result)}`);
  if (after.requests - before.requests !== PROOF_CALLS)
    throw new Error(`${name} made ${after.requests - before.requests} calls of ${PROOF_CALLS}`);
  await requireNothingAltered(upstream);
  if (answer === 'bytes' && after.rewritten > before.rewritten) throw new Error(`${name} writes bodies anew`);
  if (scans === null) return;
  if (result.unscanned === PROOF_CALLS) throw new Error(`${name} scans nothing`);
  const { status } = await run(load, { ...target, kind: 'attack' });
  if (status !== REFUSAL_STATUS[scans]) throw new Error(`${name} answers ${status} to an attack`);
}

const REFUSAL_STATUS = { guard: 400, portkey: 446 } satisfies Record<NonNullable<Contestant['scans']>, number>;

export async function requireNothingAltered(upstream: Child): Promise<void> {
  const { altered } = (await upstream.ask(null)) as Seen;
  if (altered > 0) throw new Error(`${altered} requests reached the upstream altered`);
}

/** Sends calls before the measurement: a process that has just started is several times slower than one at work. */
export async function warm(
  { target }: Entrant,
  load: Child,
  { connections, requests }: { readonly connections: number; readonly requests: number },
): Promise<void> {
  await run(load, { ...target, kind: 'closed', connections, requests: requests * 2 });
}

/** Measures the CPU cost of calls under a closed load. It throws when calls fail. */
export async function measureCpu({ name, child, target }: Entrant, load: Child, measured: Measured): Promise<Cost> {
  const { connections, requests, body, mayShed = false } = measured;
  const before = await child.usage();
  const shaped = body === undefined ? target : { ...target, body };
  const result = await run(load, { ...shaped, kind: 'closed', connections, requests });
  const after = await child.usage();
  const shed = mayShed ? (result.refused['503'] ?? 0) : 0;
  const { answered } = result;
  if (answered === 0 || answered + shed !== requests)
    throw new Error(`${name} answered ${answered} of ${requests} calls${failureReasons(result)}`);
  if (result.unscanned > requests * UNREAD_SHARE)
    throw new Error(`${name} forwarded ${result.unscanned} of ${requests} calls unread`);
  return {
    cpu: (cpuTime(after) - cpuTime(before)) / answered,
    main: before.main === null || after.main === null ? null : (after.main - before.main) / answered,
    perSecond: answered / result.seconds,
    shed: shed / requests,
  };
}

export function run(load: Child, task: LoadTask): Promise<LoadResult> {
  return load.ask(task) as Promise<LoadResult>;
}

function failureReasons({ refused }: LoadResult): string {
  const statuses = Object.entries(refused).map(([status, times]) => `${status} ${times} times`);
  return statuses.length === 0 ? '' : `, else ${statuses.join(', ')}`;
}

function cpuTime({ user, system }: Usage): number {
  return user + system;
}
