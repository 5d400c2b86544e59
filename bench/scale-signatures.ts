/**
 * The cost of a scan by the number of signatures: a part of ours, all of them, and all of them plus as many generated
 * ones.
 */
import { compile, type Ruleset } from '../src/detect/ruleset.ts';
import { scan } from '../src/detect/scan.ts';
import type { Signature } from '../src/domain/signature.ts';
import { loadSignatures } from '../src/signatures/load.ts';
import { DECODERS } from '../src/text/decoders/index.ts';
import { prose, type Random } from './corpus.ts';
import { randomNumbers } from '../train/random.ts';
import { createProgress } from './progress.ts';
import type { ScaleSettings } from './scale-settings.ts';
import { linearFit, spread, rotated, type Fit, type Spread } from './statistics.ts';

export interface SignatureResults {
  readonly rows: readonly {
    readonly loaded: string;
    readonly signatures: number;
    readonly atoms: number;
    readonly compileMs: number;
    /** CPU microseconds for a text of 2 KB. */
    readonly scan: Spread;
    /** The ratio to the row `all` in the same round. */
    readonly ofAll: Spread;
  }[];
  /** Microseconds as a function of the number of signatures. */
  readonly fit: Fit;
}

const TEXT_CHARS = 2048;
const TEXTS = 512;
const WARMUP_ROUNDS = 3;

export function measureSignatures({ rounds }: ScaleSettings): SignatureResults {
  const { signatures } = loadSignatures();
  const some = (every: number): Signature[] => signatures.filter((_, i) => i % every === 0);
  const loads = {
    quarter: some(4),
    half: some(2),
    all: signatures,
    'all, and as many made up': [...signatures, ...inventedSignatures(signatures.length, randomNumbers(11))],
  };
  const progress = createProgress(rounds + WARMUP_ROUNDS + 1);
  progress.step('signatures: compiling');
  const compiled = Object.entries(loads).map(([loaded, chosen]) => {
    const startedAt = performance.now();
    const made = compile(chosen, DECODERS);
    if ('problems' in made) throw new Error('the signatures are not sound: guard signatures lint');
    return { loaded, ruleset: made.ruleset, compileMs: performance.now() - startedAt, cpu: [] as number[] };
  });
  const random = randomNumbers(5);
  const texts = Array.from({ length: TEXTS }, () => prose(TEXT_CHARS, random));
  for (let round = -WARMUP_ROUNDS; round < rounds; round += 1) {
    progress.step(round < 0 ? 'signatures: warming' : `signatures: round ${round + 1}`);
    for (const load of rotated(compiled, round + WARMUP_ROUNDS)) {
      const cpu = costOf(load.ruleset, texts);
      if (round >= 0) load.cpu.push(cpu);
    }
  }
  progress.end();
  const all = compiled.find(({ loaded }) => loaded === 'all')!;
  const rows = compiled.map(({ loaded, ruleset, compileMs, cpu }) => ({
    loaded,
    signatures: ruleset.count,
    atoms: ruleset.atoms.length,
    compileMs,
    scan: spread(cpu),
    ofAll: spread(cpu.map((value, round) => value / all.cpu[round]!)),
  }));
  return { rows, fit: linearFit(rows.map((row) => [row.signatures, row.scan.median] as const)) };
}

function costOf(ruleset: Ruleset, texts: readonly string[]): number {
  const before = process.cpuUsage();
  for (const text of texts) scan(ruleset, [{ text, role: 'user', where: 'text', message: 0 }], { sensitive: true });
  const { user, system } = process.cpuUsage(before);
  return (user + system) / texts.length;
}

const SYLLABLES = 'ba ce di fo gu ha ki lo mu na pe ri so tu va we zo bra cli dre flo gri pla ste tro'.split(' ');
const COMMON = 'report invoice account letter system file message user answer list'.split(' ');

/** Signatures of two lists of made-up words and one common word, which is how most of ours are built. */
function inventedSignatures(count: number, random: Random): Signature[] {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const word = (): string => Array.from({ length: 3 }, () => pick(SYLLABLES)).join('');
  const list = (): string => `(?:${Array.from({ length: 4 }, word).join('|')})`;
  return Array.from({ length: count }, (_, i) => ({
    id: `made-up-${i}`,
    name: `Made up ${i}`,
    category: 'prompt-injection',
    confidence: 0.5,
    why: 'Made for the bench.',
    patterns: [`${list()} (?:the |your |all )?${list()} ${pick(COMMON)}`, `${pick(COMMON)} ${list()} ${word()}`],
    near: [],
    within: 0,
    all: [],
    roles: [],
    directions: [],
    matches: [],
    ignores: [],
    source: { file: 'bench', line: i + 1 },
  }));
}
