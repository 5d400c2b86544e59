/**
 * The cost of a scan on one thread: benign text of four sizes beside a bare RE2.Set of the same patterns, the slowest
 * text that a search finds, and decompression bombs and similar bodies. Contestants take turns in every round, so
 * that other work on the machine affects all of them.
 */
import { markdown } from '../src/eval/markdown.ts';
import type { Ruleset } from '../src/detect/ruleset.ts';
import { scan } from '../src/detect/scan.ts';
import type { Models } from '../src/likeness/load.ts';
import { loadSignatures } from '../src/signatures/load.ts';
import { DECODERS } from '../src/text/decoders/index.ts';
import { hintedBy } from '../src/text/asked.ts';
import { likenessAsShipped, rulesetOf } from './as-shipped.ts';
import { randomNumbers } from '../train/random.ts';
import { startChild } from './process.ts';
import { createProgress, type Progress } from './progress.ts';
import type { Burst } from './scan-bomb.ts';
import { BOMBS, type BombName } from './scan-bombs.ts';
import { searchSlowest, type Found } from './scan-search.ts';
import { bareSet, BENIGN } from './scan-texts.ts';
import { spread, type Spread } from './statistics.ts';

export interface ScanSettings {
  /** Any of benign, hostile and bombs; empty means all. */
  readonly only: readonly string[];
  readonly rounds: number;
  /** The duration of each of the two searches. */
  readonly seconds: number;
}

export const SCAN_DEFAULTS: ScanSettings = { only: [], rounds: 7, seconds: 20 };

const SIZES = [200, 2048, 20_480, 131_072] as const;
/**
 * The amount of text that each contestant reads per round. Small sizes consist of many different texts. A slow
 * contestant reads fewer.
 */
const BYTES_PER_ROUND = 524_288;
const MS_PER_ROUND = 400;
const BOMB_ROUNDS = 3;

interface BenignRow {
  readonly text: string;
  readonly size: number;
  /** The decoders that run on benign text of this kind, whether or not they find anything. */
  readonly asks: readonly string[];
  readonly contestants: Readonly<Record<string, { readonly mbPerSecond: Spread; readonly ofBareSet: Spread }>>;
}

export interface ScanResults {
  readonly settings: ScanSettings;
  readonly signatures: number;
  readonly atoms: number;
  readonly bare: readonly { readonly name: string; readonly patterns: number; readonly sets: number }[];
  readonly compileMs: number;
  readonly benign: readonly BenignRow[];
  readonly hostile: Readonly<Record<string, Found>>;
  readonly bombs: Readonly<
    Record<
      string,
      { readonly bytes: string; readonly cpuMs: Spread; readonly extraMb: Spread; readonly outcomes: readonly string[] }
    >
  >;
}

const PARTS = ['benign', 'hostile', 'bombs'] as const;

export async function benchScan(settings: ScanSettings): Promise<ScanResults> {
  const strange = settings.only.filter((name) => !(PARTS as readonly string[]).includes(name));
  if (strange.length > 0) throw new Error(`--only knows ${PARTS.join(', ')}, not ${strange.join(', ')}`);
  const wants = (part: (typeof PARTS)[number]): boolean => settings.only.length === 0 || settings.only.includes(part);
  const { signatures } = loadSignatures();
  const startedAt = performance.now();
  const ruleset = rulesetOf(signatures, DECODERS);
  const compileMs = performance.now() - startedAt;
  const steps =
    (wants('benign') ? Object.keys(BENIGN).length * SIZES.length : 0) +
    (wants('hostile') ? 2 * (Math.floor(settings.seconds / SAY_EVERY_S) + 1) : 0) +
    (wants('bombs') ? Object.keys(BOMBS).length : 0);
  const progress = createProgress(steps);
  const sets = { 'bare RE2.Set': bareSet(ruleset, false), 'bare RE2.Set, secrets too': bareSet(ruleset, true) };
  const benign = wants('benign') ? benignRows(ruleset, rulesetOf(signatures, []), sets, settings.rounds, progress) : [];
  const hostile = wants('hostile')
    ? {
        'without secrets': searchSlowestText(ruleset, false, settings.seconds, progress),
        'secrets too': searchSlowestText(ruleset, true, settings.seconds, progress),
      }
    : {};
  const bombs: Record<string, ScanResults['bombs'][string]> = {};
  if (wants('bombs'))
    for (const name of Object.keys(BOMBS) as BombName[]) bombs[name] = await measureBomb(name, progress);
  progress.end();
  return {
    settings,
    signatures: ruleset.count,
    atoms: ruleset.atoms.length,
    bare: Object.entries(sets).map(([name, set]) => ({ name, patterns: set.patterns, sets: set.sets })),
    compileMs,
    benign,
    hostile,
    bombs,
  };
}

function benignRows(
  ruleset: Ruleset,
  undecoded: Ruleset,
  sets: Readonly<Record<string, { match: (bytes: Buffer) => void }>>,
  rounds: number,
  progress: Progress,
): BenignRow[] {
  const never = (): boolean => false;
  const judge = (with_: Ruleset, sensitive: boolean, likeness?: Models) => (text: string) => {
    scan(with_, [{ text, role: 'user', where: 'text', message: 0 }], { sensitive, likeness });
  };
  const contestants: Readonly<Record<string, (text: string) => unknown>> = {
    ...Object.fromEntries(
      Object.entries(sets).map(([name, set]) => [name, (text: string) => set.match(Buffer.from(text))]),
    ),
    'first look': (text) => ruleset.plainGlance.look(text, never),
    'scan without shapes': judge(undecoded, false),
    scan: judge(ruleset, false),
    'scan, likeness too': judge(ruleset, false, likenessAsShipped()),
    'scan, secrets too': judge(ruleset, true),
  };
  const names = Object.keys(contestants);
  return Object.entries(BENIGN).flatMap(([kind, make]) =>
    SIZES.map((size): BenignRow => {
      progress.step(`benign ${kind} of ${size} bytes`);
      const random = randomNumbers(size);
      const texts = Array.from({ length: Math.ceil(BYTES_PER_ROUND / size) }, () => make(size, random));
      const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
      const speeds: Record<string, number[]> = Object.fromEntries(names.map((name) => [name, []]));
      for (let round = -1; round < rounds; round += 1) {
        for (const [i] of names.entries()) {
          const name = names[(i + round + names.length) % names.length]!;
          const until = performance.now() + MS_PER_ROUND;
          const before = process.cpuUsage();
          let read = 0;
          while (read < texts.length && (read === 0 || performance.now() < until)) contestants[name]!(texts[read++]!);
          const { user, system } = process.cpuUsage(before);
          // The first round only warms up the engine and the JIT compiler.
          if (round >= 0) speeds[name]!.push((bytes * (read / texts.length)) / Math.max(1, user + system));
        }
      }
      const yardstick = speeds['bare RE2.Set']!;
      const rows = names.map((name) => {
        const ofBareSet = spread(speeds[name]!.map((speed, round) => speed / yardstick[round]!));
        return [name, { mbPerSecond: spread(speeds[name]!), ofBareSet }] as const;
      });
      const asks = [...new Set(texts.slice(0, 50).flatMap((text) => hintedBy(text).map(({ name }) => name)))];
      return { text: kind, size, asks, contestants: Object.fromEntries(rows) };
    }),
  );
}

const SAY_EVERY_S = 5;

function searchSlowestText(ruleset: Ruleset, secrets: boolean, seconds: number, progress: Progress): Found {
  const what = `searching for slow text${secrets ? ', secrets too' : ''}`;
  progress.step(what);
  let saidAt = performance.now();
  return searchSlowest(ruleset, { seconds, secrets, seed: 7 }, (tried, best) => {
    if (performance.now() - saidAt < SAY_EVERY_S * 1000) return;
    saidAt = performance.now();
    progress.step(`${what}: ${tried} tried, the slowest at ${best.toFixed(2)} MB/s`);
  });
}

async function measureBomb(name: BombName, progress: Progress): Promise<ScanResults['bombs'][string]> {
  progress.step(`bomb ${name}: ${BOMBS[name].says}`);
  const bursts: Burst[] = [];
  // A new process each time: memory that a process has taken is not returned, so a second run would seem to need
  // none.
  for (let round = 0; round < BOMB_ROUNDS; round += 1) {
    const child = await startChild('scan-bomb.js', { name });
    try {
      bursts.push((await child.ask(null)) as Burst);
    } finally {
      await child.close();
    }
  }
  return {
    bytes: BOMBS[name].says,
    cpuMs: spread(bursts.map(({ cpuMs }) => cpuMs)),
    extraMb: spread(bursts.map(({ extraMb }) => extraMb)),
    outcomes: [...new Set(bursts.map(({ outcome }) => outcome))],
  };
}

export function scanTable({ signatures, atoms, bare, compileMs, benign, hostile, bombs }: ScanResults): string {
  const range = ({ min, max }: Spread, digits: number): string => `${min.toFixed(digits)} - ${max.toFixed(digits)}`;
  const parts = [
    `${signatures} signatures, ${atoms} atoms, compiled in ${compileMs.toFixed(0)} ms; ` +
      bare.map(({ name, patterns, sets }) => `${name}: ${patterns} patterns in ${sets} set(s)`).join('; '),
  ];
  if (benign.length > 0) {
    const names = Object.keys(benign[0]!.contestants);
    const cells = benign.map(({ text, size, contestants }) => [
      `${text}, ${size} B`,
      ...names.map((name) => {
        const { mbPerSecond } = contestants[name]!;
        return `${mbPerSecond.median.toFixed(0)} (${range(mbPerSecond, 0)})`;
      }),
      `${contestants['scan']!.ofBareSet.median.toFixed(2)}x`,
    ]);
    parts.push(
      'Benign text, MB/s of one thread: median (min - max)',
      markdown(['text', ...names, 'scan / set'], cells),
    );
  }
  const searches = Object.entries(hostile);
  if (searches.length > 0) {
    const cells = searches.map(([name, found]) => [
      name,
      found.mbPerSecond.toFixed(2),
      found.longMbPerSecond.toFixed(2),
      found.firstMbPerSecond.toFixed(2),
      String(found.tried),
      `${found.began}, ${found.fragments} parts${found.hiding.length === 0 ? '' : `, in ${found.hiding.join(' in ')}`}`,
      found.outcome,
    ]);
    const head = ['slowest text found', '16 KB, MB/s', '256 KB', 'at first', 'tried', 'made of', 'outcome'];
    parts.push(markdown(head, cells));
  }
  const exploded = Object.entries(bombs);
  if (exploded.length > 0) {
    const cells = exploded.map(([name, { bytes, cpuMs, extraMb, outcomes }]) => [
      `${name}: ${bytes}`,
      cpuMs.median.toFixed(0),
      range(cpuMs, 0),
      extraMb.median.toFixed(0),
      range(extraMb, 0),
      outcomes.join(', '),
    ]);
    parts.push(markdown(['bomb', 'CPU ms', 'min - max', 'extra MB', 'min - max', 'outcome'], cells));
  }
  return parts.join('\n\n');
}
