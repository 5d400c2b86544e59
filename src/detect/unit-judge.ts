import type { Direction } from '../domain/job.ts';
import { NEAR_DISTANCE } from '../domain/place.ts';
import type { Reading } from '../text/readings.ts';
import type { Judged } from './body.ts';
import { nothingDenied } from './confirm/denied.ts';
import { hitsIn, type Hit } from './confirm/hits.ts';
import { encodedPartsBeside } from './encoded-parts.ts';
import type { createFindings } from './findings.ts';
import type { Glance } from './glance/glance.ts';
import type { Sightings } from './glance/sightings.ts';
import { hitsInHidden } from './hidden-hits.ts';
import { hidingIn } from './hiding.ts';
import { isInPlace } from './places.ts';
import type { Rule } from './rule.ts';
import type { Ruleset } from './ruleset.ts';

/** What the judging of every unit of a body shares. */
export interface Judging {
  readonly ruleset: Ruleset;
  readonly look: Glance['look'];
  readonly direction: Direction;
  readonly findings: ReturnType<typeof createFindings>;
  readonly cancelled: () => boolean;
}

export interface UnitJudge {
  /**
   * Asks for the rules whose words were seen in a reading, and adds what is found. `asItStands`: the unit itself, and
   * not a reading of it. False when cancelled.
   */
  readonly judge: (reading: Reading, sightings: Sightings, asItStands: boolean) => boolean;
  readonly foundAny: () => boolean;
}

/** Judges the readings of one unit, one after the other. */
export function createUnitJudge(judged: Judged, readings: number, judging: Judging): UnitJudge {
  const { ruleset, look, direction, findings, cancelled } = judging;
  const { unit, seam } = judged;
  const hitAlready = new Set<Rule>();
  // A rule that was found in one reading of the unit is not asked about in the next: under a disguise it would be the
  // same finding, and asking is not free. The exception is a weak rule in a long text, which is asked about again where
  // its words may stand elsewhere, near those of other rules.
  let isElsewhere = false;
  const isWanted = (rule: Rule): boolean =>
    appliesTo(rule.signature.directions, direction) &&
    appliesTo(rule.signature.roles, unit.role) &&
    !(seam !== null && isLoose(rule)) &&
    (!hitAlready.has(rule) || (isElsewhere && rule.signature.confidence < ENOUGH));
  const isWantedInPlain = (rule: Rule): boolean => rule.signature.hidden !== true && isWanted(rule);
  const denied = readings > 1 ? nothingDenied() : null;
  const isHiding = hidingIn(unit.text);
  const encodedParts = encodedPartsBeside(unit.text);

  return {
    judge(reading, sightings, asItStands) {
      isElsewhere = unit.text.length > NEAR_DISTANCE && !asItStands && isInPlace(reading.via);
      const said = hitsIn(ruleset, sightings, isWantedInPlain, reading.text, cancelled, denied);
      const coded =
        sightings.size > 0 && isHiding(reading.via)
          ? hitsInHidden(ruleset, look, sightings, isWanted, reading.text, encodedParts, cancelled)
          : NO_HITS;
      if (said === null || coded === null) return false;
      const hits = coded.length === 0 ? said : [...said, ...coded];
      findings.add(judged, reading, hits, hitAlready);
      for (const { rule } of hits) hitAlready.add(rule);
      return true;
    },
    foundAny: () => hitAlready.size > 0,
  };
}

const NO_HITS: readonly Hit[] = [];

function appliesTo<T>(listed: readonly T[], one: T): boolean {
  return listed.length === 0 || listed.includes(one);
}

/** A rule with this confidence blocks by itself at the default sensitivity, whatever stands near its match. */
const ENOUGH = 0.5;

/**
 * Whether the rule may match by chance across a seam. The digits of two passages put end to end easily make a valid
 * card number, but the exact prefix of a token does not come about by chance.
 */
function isLoose(rule: Rule): boolean {
  return rule.isProven && rule.signature.exact !== true;
}
