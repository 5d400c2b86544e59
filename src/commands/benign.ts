import { jobOfText } from '../domain/lone-text.ts';
import { decide } from '../domain/policy.ts';
import type { Policy } from '../domain/policy.ts';
import type { Direction } from '../domain/job.ts';
import type { Category } from '../domain/verdict.ts';
import type { Scanner } from '../scanner/scanner.ts';
import { benignTexts } from './benign-texts.ts';
import type { BenignText, UnreadText } from './benign-texts.ts';
import { eachAtOnce } from './each-at-once.ts';

/** What a policy does with benign texts. Each is judged both as a client's request and as a model's answer. */
export interface BenignTally {
  readonly texts: number;
  readonly characters: number;
  readonly blocked: Readonly<Record<Direction, number>>;
  readonly warned: number;
  /** In how many texts each signature was found, whether or not that led to an action. */
  readonly bySignature: Readonly<Record<string, number>>;
  /** The first blocked texts. Only their place is kept, never their content, which may be private. */
  readonly places: readonly BlockedPlace[];
  readonly unreadCount: number;
  readonly unread: readonly { readonly place: string; readonly reason: string }[];
}

interface BlockedPlace {
  readonly place: string;
  readonly direction: Direction;
  readonly category: Category;
  readonly name: string;
  readonly confidence: number;
}

/** What became of one text in both directions. */
interface JudgedText {
  readonly kind: 'judged';
  readonly characters: number;
  readonly signatures: ReadonlySet<string>;
  readonly blocked: readonly BlockedPlace[];
  readonly isWarned: boolean;
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
): Promise<BenignTally> {
  const blocked: Record<Direction, number> = { request: 0, response: 0 };
  const found = new Map<string, number>();
  const places: BlockedPlace[] = [];
  const unread: { place: string; reason: string }[] = [];
  let [texts, characters, warned, unreadCount] = [0, 0, 0, 0];

  await eachAtOnce(benignTexts(folder), AT_ONCE, async (item) => {
    const judged = item.kind === 'unread' ? item : await judgeText(scanner, policy, item);
    if (judged.kind === 'unread') {
      unreadCount += 1;
      if (unread.length < MOST_PLACES) unread.push({ place: judged.place, reason: judged.reason });
      return;
    }
    for (const one of judged.blocked) {
      blocked[one.direction] += 1;
      if (places.length < MOST_PLACES) places.push(one);
    }
    texts += 1;
    characters += judged.characters;
    if (judged.isWarned) warned += 1;
    for (const id of judged.signatures) found.set(id, (found.get(id) ?? 0) + 1);
    step(texts);
  });
  return { texts, characters, blocked, warned, bySignature: Object.fromEntries(found), places, unreadCount, unread };
}

/** A text whose second scan fails counts as unread, whatever the first one said. */
async function judgeText(scanner: Scanner, policy: Policy, item: BenignText): Promise<JudgedText | UnreadText> {
  const { place, text } = item;
  const signatures = new Set<string>();
  const blocked: BlockedPlace[] = [];
  let isWarned = false;
  for (const direction of DIRECTIONS) {
    const outcome = await scanner.scan(jobOfText(text, direction, 'user', true));
    if (outcome.kind !== 'report') {
      const reason =
        outcome.kind === 'unreadable' ? `is refused: ${outcome.reason}` : `was not scanned: ${outcome.kind}`;
      return { kind: 'unread', place, reason };
    }
    for (const { signature } of outcome.findings) signatures.add(signature);
    const context = { direction, upstream: null, path: '', client: () => null, now: Date.now() };
    const { action, category, signatureName, confidence } = decide(policy, outcome.findings, context);
    if (action === 'warn') isWarned = true;
    if (action !== 'block' || category === null) continue;
    blocked.push({ place, direction, category, name: signatureName ?? '', confidence });
  }
  return { kind: 'judged', characters: text.length, signatures, blocked, isWarned };
}
