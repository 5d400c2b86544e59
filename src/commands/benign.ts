import { jobOfText } from '../domain/lone-text.ts';
import { decide } from '../domain/policy.ts';
import type { Policy } from '../domain/policy.ts';
import type { Direction } from '../domain/job.ts';
import type { Category } from '../domain/verdict.ts';
import type { Scanner } from '../scanner/scanner.ts';
import { benignTexts } from './benign-texts.ts';
import type { Benign } from './benign-texts.ts';

/** What a policy does with benign texts. Each is judged both as a client's request and as a model's answer. */
export interface Judged {
  readonly texts: number;
  readonly characters: number;
  readonly blocked: Readonly<Record<Direction, number>>;
  readonly warned: number;
  /** In how many texts each signature was found, whether or not that led to an action. */
  readonly bySignature: Readonly<Record<string, number>>;
  /** The first blocked texts. Only their place is kept, never their content, which may be private. */
  readonly places: readonly Place[];
  readonly unreadCount: number;
  readonly unread: readonly { readonly place: string; readonly reason: string }[];
}

interface Place {
  readonly place: string;
  readonly direction: Direction;
  readonly category: Category;
  readonly name: string;
  readonly confidence: number;
}

/** Enough to keep every thread busy, and few enough that the waiting texts fit into memory and into the pool. */
const AT_ONCE = 8;
const MOST_PLACES = 10;
const DIRECTIONS = ['request', 'response'] as const satisfies readonly Direction[];

export async function judgeBenign(
  scanner: Scanner,
  policy: Policy,
  folder: string,
  step: (texts: number) => void,
): Promise<Judged> {
  const blocked: Record<Direction, number> = { request: 0, response: 0 };
  const found = new Map<string, number>();
  const places: Place[] = [];
  const unread: { place: string; reason: string }[] = [];
  let unreadCount = 0;
  let [texts, characters, warned] = [0, 0, 0];

  const leaveOut = (place: string, reason: string): void => {
    unreadCount += 1;
    if (unread.length < MOST_PLACES) unread.push({ place, reason });
  };

  async function judge(item: Benign): Promise<void> {
    if (item.kind === 'unread') return leaveOut(item.place, item.reason);
    const { place, text } = item;
    const ids = new Set<string>();
    const blockedHere: Place[] = [];
    let isWarned = false;
    for (const direction of DIRECTIONS) {
      const outcome = await scanner.scan(jobOfText(text, direction, 'user', true));
      if (outcome.kind !== 'report') {
        return leaveOut(
          place,
          outcome.kind === 'unreadable' ? `is refused: ${outcome.reason}` : `was not scanned: ${outcome.kind}`,
        );
      }
      for (const { signature } of outcome.findings) ids.add(signature);
      const context = { direction, upstream: null, path: '', client: null, now: Date.now() };
      const { action, category, signatureName, confidence } = decide(policy, outcome.findings, context);
      if (action === 'warn') isWarned = true;
      if (action !== 'block' || category === null) continue;
      blockedHere.push({ place, direction, category, name: signatureName ?? '', confidence });
    }
    // Counted only now: a text whose second scan fails counts nowhere.
    for (const one of blockedHere) {
      blocked[one.direction] += 1;
      if (places.length < MOST_PLACES) places.push(one);
    }
    texts += 1;
    characters += text.length;
    if (isWarned) warned += 1;
    for (const id of ids) found.set(id, (found.get(id) ?? 0) + 1);
    step(texts);
  }

  const running = new Set<Promise<void>>();
  for await (const item of benignTexts(folder)) {
    const task = judge(item).finally(() => running.delete(task));
    running.add(task);
    if (running.size >= AT_ONCE) await Promise.race(running);
  }
  await Promise.all(running);
  return { texts, characters, blocked, warned, bySignature: Object.fromEntries(found), places, unreadCount, unread };
}
