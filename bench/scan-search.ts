/**
 * Searches for the slowest text by hill climbing. A text consists of some fragments, the glue between them and
 * encodings that hide them. Any change that makes it slower is kept. Hand-written slow texts only test what is
 * already known to be slow.
 */
import { chooser, fragmentsOf, KINDS, phrasesOf, repeated } from '../src/detect/prove/hostile.ts';
import type { Pick } from '../src/detect/prove/hostile.ts';
import type { Ruleset } from '../src/detect/ruleset.ts';
import { scan } from '../src/detect/scan.ts';

export interface SearchSettings {
  readonly seconds: number;
  readonly secrets: boolean;
  readonly seed: number;
}

export interface Found {
  /**
   * The speed at SIZE, which is used while searching; `longMbPerSecond` is at LONG. Small texts include the fixed
   * cost of each scan.
   */
  readonly mbPerSecond: number;
  readonly longMbPerSecond: number;
  /** The speed of the slowest text that the search started from. */
  readonly firstMbPerSecond: number;
  readonly tried: number;
  readonly outcome: string;
  readonly began: string;
  readonly fragments: number;
  readonly glue: string;
  readonly hiding: readonly Disguise[];
  /** The beginning of the text, for the developer who makes it faster. */
  readonly sample: string;
}

type Disguise = keyof typeof DISGUISES;

interface Draft {
  readonly began: string;
  readonly parts: readonly string[];
  readonly glue: string;
  readonly hiding: readonly Disguise[];
}

const WARM_MS = 3000;
const DOUBT_EVERY = 25;
const SIZE = 16 * 1024;
const LONG = 256 * 1024;
const GLUES = [' ', '', '\n', '. ', ' "', '=', ',_', '\u200b', '%20', ': ', ' - ', '\n1,', '"},{"k":"'];
const MAX_DISGUISES = 2;

const DISGUISES = {
  base64: (text) => Buffer.from(text).toString('base64'),
  hex: (text) => Buffer.from(text).toString('hex'),
  percent: (text) => encodeURIComponent(Buffer.from(text).toString()),
  escapes: (text) => text.replace(/[a-z]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`),
  entities: (text) => text.replace(/[a-z]/g, (char) => `&#${char.charCodeAt(0)};`),
  wide: (text) => text.replace(/[!-~]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0)),
  spaced: (text) => [...text].join(' '),
  backwards: (text) => [...text].reverse().join(''),
} satisfies Record<string, (text: string) => string>;

export function searchSlowest(
  ruleset: Ruleset,
  settings: SearchSettings,
  step: (tried: number, slowest: number) => void,
): Found {
  const pick = chooser(settings.seed);
  const fragments = fragmentsOf(ruleset, pick);
  let tried = 0;
  const speed = (draft: Draft, size = SIZE): number => {
    tried += 1;
    return speedOf(ruleset, textOf(draft, size, chooser(tried)), settings.secrets);
  };
  /** Measures up to three times and takes the fastest: a pause of the machine makes any text look slow once. */
  const sureSpeed = (draft: Draft, below: number): number => {
    let best = 0;
    for (let i = 0; i < 3 && best < below; i += 1) best = Math.max(best, speed(draft));
    return best;
  };

  const drafts = draftsFrom(ruleset, fragments, pick);
  // Warm-up: code that was just loaded is slow on any text, and a search that starts then finds nothing slower.
  const warmBy = performance.now() + WARM_MS;
  while (performance.now() < warmBy) speed(drafts[tried % drafts.length]!);

  const beginnings = drafts.map((draft) => ({ draft, mbPerSecond: sureSpeed(draft, Infinity) }));
  beginnings.sort((a, b) => a.mbPerSecond - b.mbPerSecond);
  const firstMbPerSecond = beginnings[0]!.mbPerSecond;
  let best = beginnings[0]!;
  let rival = beginnings[1] ?? best;
  const endsAt = performance.now() + settings.seconds * 1000;
  for (let turn = 1; performance.now() < endsAt; turn += 1) {
    // Measured again from time to time: a text that was slow only because of other work would stay the slowest
    // forever.
    if (turn % DOUBT_EVERY === 0) {
      best = { draft: best.draft, mbPerSecond: sureSpeed(best.draft, Infinity) };
      rival = { draft: rival.draft, mbPerSecond: sureSpeed(rival.draft, Infinity) };
      if (rival.mbPerSecond < best.mbPerSecond) [best, rival] = [rival, best];
    }
    // Two texts are improved in parallel, so that a local maximum does not end the search.
    const isRival = pick(3) === 0;
    const from = isRival ? rival : best;
    const draft = mutate(from.draft, fragments, pick);
    const mbPerSecond = sureSpeed(draft, from.mbPerSecond);
    if (mbPerSecond < best.mbPerSecond) {
      if (isRival) rival = best;
      best = { draft, mbPerSecond };
    } else if (isRival && mbPerSecond < rival.mbPerSecond) rival = { draft, mbPerSecond };
    step(tried, best.mbPerSecond);
  }

  const { draft } = best;
  const text = textOf(draft, SIZE, chooser(1));
  const ended = scan(ruleset, [{ text, role: 'user', where: 'text', message: 0 }], { sensitive: settings.secrets });
  return {
    mbPerSecond: sureSpeed(draft, Infinity),
    longMbPerSecond: Math.max(speed(draft, LONG), speed(draft, LONG)),
    firstMbPerSecond,
    tried,
    outcome: ended.kind,
    began: draft.began,
    fragments: draft.parts.length,
    glue: draft.glue,
    hiding: draft.hiding,
    sample: text.slice(0, 160),
  };
}

function draftsFrom(ruleset: Ruleset, fragments: readonly string[], pick: Pick): Draft[] {
  const kinds = KINDS.flatMap((kind): Draft[] => {
    const parts = ruleset.rules.flatMap((rule) => {
      const phrase = phrasesOf(ruleset, rule)[kind];
      return phrase === undefined ? [] : [phrase(pick), phrase(pick)];
    });
    return parts.length === 0 ? [] : [{ began: kind, parts, glue: ' ', hiding: [] }];
  });
  const mixes = Array.from({ length: 6 }, (_, i): Draft => ({
    began: `mix ${i + 1}`,
    parts: Array.from({ length: 4 ** (1 + (i % 3)) }, () => fragments[pick(fragments.length)]!),
    glue: GLUES[pick(GLUES.length)]!,
    hiding: [],
  }));
  return [...kinds, ...mixes];
}

function mutate(draft: Draft, fragments: readonly string[], pick: Pick): Draft {
  const parts = [...draft.parts];
  const any = (): string => fragments[pick(fragments.length)]!;
  switch (pick(8)) {
    case 0:
      return { ...draft, glue: GLUES[pick(GLUES.length)]! };
    case 1: {
      const hidings = Object.keys(DISGUISES) as Disguise[];
      const hiding =
        draft.hiding.length < MAX_DISGUISES && pick(2) === 0
          ? [...draft.hiding, hidings[pick(hidings.length)]!]
          : draft.hiding.slice(1);
      return { ...draft, hiding };
    }
    case 2:
      return parts.length < 4
        ? { ...draft, parts: [...parts, any()] }
        : { ...draft, parts: parts.filter(() => pick(2) === 0).concat(any()) };
    case 3:
      return { ...draft, parts: [...parts, ...Array.from({ length: 1 + (parts.length >> 2) }, any)] };
    case 4: {
      const at = pick(parts.length);
      parts[at] = parts[at]!.slice(0, 1 + pick(parts[at]!.length)) || any();
      return { ...draft, parts };
    }
    case 5:
      parts[pick(parts.length)] += any();
      return { ...draft, parts };
    default:
      for (let i = 0; i < 1 + (parts.length >> 3); i += 1) parts[pick(parts.length)] = any();
      return { ...draft, parts };
  }
}

/**
 * The fragments are in a different order each time: the engine gets faster on text it has seen before, and an
 * attacker need not repeat text.
 */
function textOf({ parts, glue, hiding }: Draft, size: number, pick: Pick): string {
  let text = repeated(() => parts[pick(parts.length)]!, size, glue);
  for (const name of hiding) text = DISGUISES[name](text);
  return text.slice(0, size);
}

function speedOf(ruleset: Ruleset, text: string, secrets: boolean): number {
  const before = process.cpuUsage();
  scan(ruleset, [{ text, role: 'user', where: 'text', message: 0 }], { sensitive: secrets });
  const { user, system } = process.cpuUsage(before);
  return Buffer.byteLength(text) / Math.max(1, user + system);
}
