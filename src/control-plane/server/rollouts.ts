import { createHash } from 'node:crypto';

/**
 * Decides which bundle an instance should have, and when a roll-out is halted. Pure, so that all servers give the
 * same answer.
 */

export interface Rollout {
  readonly id: number;
  readonly group: string;
  readonly version: number;
  readonly percent: number;
  readonly state: 'running' | 'halted';
}

/**
 * The position of an instance in every roll-out, from 0 to 99.99. It depends on the id alone, so an instance is
 * always among the first or always among the last.
 */
export function placeOf(instanceId: string): number {
  return (createHash('sha256').update(instanceId).digest().readUInt32BE(0) % 10_000) / 100;
}

/**
 * The bundle version for an instance at `place`. An instance that the newest roll-out has not reached stays with the
 * one before. A halted roll-out counts as if it had never happened, so its instances go back. 0 stands for the
 * shipped signatures: no running roll-out applies, and at least one was halted. Null means no opinion: no roll-out
 * has reached the instance, and none was halted.
 */
export function desiredVersion(newestFirst: readonly Rollout[], place: number): number | null {
  if (newestFirst.length === 0) return null;
  for (const { state, percent, version } of newestFirst) if (state === 'running' && place < percent) return version;
  return newestFirst.some(({ state }) => state === 'halted') ? 0 : null;
}

/**
 * The running roll-outs that an instance of the group may be under. One whose share a newer one covers is left out: no
 * instance is told to take its bundle.
 */
export function reachingRollouts(newestFirst: readonly Rollout[]): readonly Rollout[] {
  let covered = 0;
  return newestFirst.filter(({ state, percent }) => {
    if (state !== 'running' || percent <= covered) return false;
    covered = percent;
    return true;
  });
}

export interface Traffic {
  readonly requests: number;
  readonly blocked: number;
}

/**
 * For how many heartbeats an instance may be silent and still count. A control plane that was away for a minute is not
 * to forget its fleet, and an instance that is gone says nothing about a bundle.
 */
const SILENT_BEATS = 10;

/** In seconds: an instance that was not heard for longer is left out. */
export function recentWithin(heartbeatS: number): number {
  return Math.max(300, SILENT_BEATS * heartbeatS);
}

export interface HaltRules {
  readonly halt_refusals: number;
  readonly halt_block_rise: number;
  readonly halt_min_requests: number;
}

export interface RolloutTraffic {
  /** The instances that have the new bundle. */
  readonly after: Traffic;
  /** The instances of the group that are still to have it. */
  readonly others: Traffic;
  /** The group as it was when the roll-out began. */
  readonly baseline: Traffic;
}

/** The reason to halt the roll-out, or null. The baseline counts where the others have too few requests to say. */
export function haltReason(
  rules: HaltRules,
  refusals: number,
  fault: string,
  { after, others, baseline }: RolloutTraffic,
): string | null {
  if (refusals >= rules.halt_refusals) return `refused by ${refusals} instances, last: ${fault}`;
  const before = others.requests < rules.halt_min_requests ? baseline : others;
  if (Math.min(after.requests, before.requests) < rules.halt_min_requests) return null;
  const rate = after.blocked / after.requests;
  const was = before.blocked / before.requests;
  // The block rate has to double and also to rise by this share of all requests: on a quiet service it may double by
  // chance.
  if (rate < was * 2 || rate - was < rules.halt_block_rise) return null;
  return `blocks ${percent(rate)} of requests where ${percent(was)} were blocked before`;
}

function percent(rate: number): string {
  return `${(rate * 100).toFixed(1)} %`;
}
