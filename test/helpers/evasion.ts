/** The evasion matrix: every encoder on every payload, and a sample of two encoders on top of each other. */
import { HONEST } from '../fixtures/honest.ts';
import { PAYLOADS } from '../fixtures/payloads.ts';
import { ENCODERS, pairsOf, type Encoder } from './encoders.ts';
import { fixtureLines } from './fixture.ts';
import type { Guard } from './guard.ts';
import { pick, seeded } from './seeded.ts';
import { verdictsOn, type Told } from './verdicts.ts';

/** One text that was sent, as `payloads[index]` after these encoders, and what came of it. */
export interface Try {
  readonly chain: readonly Encoder[];
  readonly payload: number;
  readonly told: Told;
}

/** `blocked` takes in what is refused as unscannable: it reaches no model either. */
export interface Tally {
  readonly sent: number;
  readonly blocked: number;
  readonly warned: number;
}

export function tally(tries: readonly Try[]): Tally {
  const of = (...actions: readonly Told['action'][]): number =>
    tries.filter(({ told }) => actions.includes(told.action)).length;
  return { sent: tries.length, blocked: of('block', 'refused'), warned: of('warn') };
}

export function blockedShare({ sent, blocked }: Tally): number {
  return blocked / sent;
}

export function detectedShare({ sent, blocked, warned }: Tally): number {
  return (blocked + warned) / sent;
}

export const isMissed = ({ told }: Try): boolean => told.action === 'allow' || told.action === 'log';

async function attempt(guard: Guard, planned: readonly Pick<Try, 'chain' | 'payload'>[]): Promise<readonly Try[]> {
  const texts = planned.map(({ chain, payload }) =>
    chain.reduce((text, encoder) => encoder.encode(text), PAYLOADS[payload]?.text ?? ''),
  );
  const told = await verdictsOn(guard, texts);
  return planned.map((one, at) => ({ ...one, told: told[at] as Told }));
}

const everyPayload = PAYLOADS.map((_, payload) => payload);

export function plainly(guard: Guard): Promise<readonly Try[]> {
  return attempt(
    guard,
    everyPayload.map((payload) => ({ chain: [], payload })),
  );
}

export function singles(guard: Guard): Promise<readonly Try[]> {
  return attempt(
    guard,
    ENCODERS.flatMap((encoder) => everyPayload.map((payload) => ({ chain: [encoder], payload }))),
  );
}

const SEED = 20261121;
export const PAIRS_SAMPLED = 3000;

/** The same sample in every run, drawn with replacement from all pairs that can be undone. */
export function pairs(guard: Guard, count: number): Promise<readonly Try[]> {
  const random = seeded(SEED);
  const all = pairsOf(ENCODERS);
  return attempt(
    guard,
    Array.from({ length: count }, () => ({ chain: pick(random, all), payload: pick(random, everyPayload) })),
  );
}

export interface Stopped {
  readonly name: string;
  readonly told: Told;
  readonly quotes: boolean;
}

export interface Trap {
  readonly name: string;
  readonly text: string;
  readonly quotes?: true;
}

export const TRAPS: readonly Trap[] = [...HONEST, ...fixtureLines<Trap>('benign-traps')];

/** The honest texts that did not simply pass. */
export async function stoppedTraps(guard: Guard): Promise<readonly Stopped[]> {
  const told = await verdictsOn(
    guard,
    TRAPS.map(({ text }) => text),
  );
  return TRAPS.map(({ name, quotes }, at) => ({ name, told: told[at] as Told, quotes: quotes === true })).filter(
    ({ told }) => told.action !== 'allow',
  );
}
