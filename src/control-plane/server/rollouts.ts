import { createHash } from 'node:crypto';

/** Which bundle an instance should have, and when a roll-out is stopped. Pure: any server of a group answers the same. */

export interface Rollout {
  readonly id: number;
  readonly group: string;
  readonly version: number;
  readonly percent: number;
  readonly state: 'running' | 'halted';
}

/** From 0 to 99.99, by the instance alone: it is among the first of every roll-out, or among the last of every. */
export function placeOf(instanceId: string): number {
  return (createHash('sha256').update(instanceId).digest().readUInt32BE(0) % 10_000) / 100;
}

/**
 * Newest first. An instance that the newest has not come to yet stays with the one before; one that was halted is as if it
 * had never been, so that its instances go back. Null: nobody ever rolled anything out here. 0: all of it was halted.
 */
export function desiredVersion(newestFirst: readonly Rollout[], place: number): number | null {
  if (newestFirst.length === 0) return null;
  for (const { state, percent, version } of newestFirst) if (state === 'running' && place < percent) return version;
  return newestFirst.some(({ state }) => state === 'halted') ? 0 : null;
}

export interface Standing {
  readonly requests: number;
  readonly blocked: number;
}

export interface HaltRules {
  readonly halt_refusals: number;
  readonly halt_block_rise: number;
  readonly halt_min_requests: number;
}

/** Why it must stop, or null. `before` is what instances of the group block that have not got it. */
export function haltReason(
  rules: HaltRules,
  refusals: number,
  fault: string,
  after: Standing,
  before: Standing,
): string | null {
  if (refusals >= rules.halt_refusals) return `refused by ${refusals} instances, last: ${fault}`;
  if (Math.min(after.requests, before.requests) < rules.halt_min_requests) return null;
  const rate = after.blocked / after.requests;
  const was = before.blocked / before.requests;
  // Twice as much as before and so much more of all requests: a quiet service may double by chance.
  if (rate < was * 2 || rate - was < rules.halt_block_rise) return null;
  return `blocks ${percent(rate)} of requests where ${percent(was)} were blocked before`;
}

function percent(rate: number): string {
  return `${(rate * 100).toFixed(1)} %`;
}
