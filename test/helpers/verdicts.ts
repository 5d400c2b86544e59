/** Asks a running guard about many texts through POST /check, and counts what it would have let pass. */
import type { Guard } from './guard.ts';

export interface Told {
  /** `refused`: an error object instead of a verdict, as for text that hides more than is unfolded. */
  readonly action: 'allow' | 'log' | 'warn' | 'block' | 'refused';
  readonly category: string | null;
  readonly signature_name: string | null;
}

const BATCH = 16;

/** A guard with which only the verdict matters: no limit on the rate, and time for a batch on a busy machine. */
export const UNHURRIED = {
  rate_limit: { check: { points: 0 } },
  security: { failure_mode: 'closed', scanner_timeout_ms: 60_000 },
} as const;

export async function verdictsOn(guard: Guard, texts: readonly string[]): Promise<readonly Told[]> {
  const told: Told[] = [];
  for (let at = 0; at < texts.length; at += BATCH) {
    const batch = texts.slice(at, at + BATCH);
    const results = await ask(guard, batch);
    // One text that is refused makes the whole batch refused: then each is asked about by itself.
    if (results !== null) told.push(...results);
    else for (const text of batch) told.push(...((await ask(guard, [text])) ?? [REFUSED]));
  }
  return told;
}

const REFUSED: Told = { action: 'refused', category: null, signature_name: null };

async function ask(guard: Guard, texts: readonly string[]): Promise<readonly Told[] | null> {
  const response = await fetch(`${guard.url}/check`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ texts }),
  });
  const answer = (await response.json()) as { readonly results?: readonly Told[]; readonly error?: { type: string } };
  if (response.status === 400 && answer.error?.type === 'unscannable_content') return null;
  if (answer.results === undefined) throw new Error(`no verdict: ${response.status} ${answer.error?.type}`);
  return answer.results;
}

/** How many of the texts are blocked. */
export async function blockedAmong(guard: Guard, texts: readonly string[]): Promise<number> {
  return (await verdictsOn(guard, texts)).filter(({ action }) => action === 'block').length;
}
