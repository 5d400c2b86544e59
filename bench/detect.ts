/** Recall and false positives on the development corpora, beside those of other tools. */
import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { corporaAt } from '../src/commands/eval-corpora.ts';
import { readFloorFile } from '../src/commands/eval-files.ts';
import { measure } from '../src/commands/eval-run.ts';
import { createProgress } from '../src/commands/progress.ts';
import { defaultConfigFile, loadConfig } from '../src/config/load.ts';
import { summaryOf, type CorpusSummary, type Summary } from '../src/eval/summary.ts';
import { markdown } from '../src/eval/markdown.ts';
import { percent } from '../src/eval/table.ts';
import { meanOf, shareOf } from '../src/eval/tally.ts';
import { conversations, type Conversations } from './detect-conversations.ts';
import { FLAGGED_BY_PEERS, FOUND_BY_PEERS, PEERS } from './detect-peers.ts';
import { surrounded, type Surrounded } from './detect-surrounded.ts';

export const FLOORS = 'bench/floors.json';
/** Outside of the repository, because none of the corpora may be part of it. */
export const CORPORA = '../shared/corpora';

export interface DetectResults extends Summary {
  /** Absent in older records. */
  readonly conversations?: readonly Conversations[];
  readonly surrounded?: readonly Surrounded[];
}

/** Returns null when the corpora are missing, so there is nothing to record. */
export async function benchDetect(
  folder: string,
  only: readonly string[],
  floors = readFloorFile(FLOORS).floors,
): Promise<DetectResults | null> {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return null;
  const all = corporaAt(folder) ?? [];
  const corpora = only.length === 0 ? all : all.filter(({ name }) => only.includes(name));
  if (corpora.length === 0) throw new Error(`no corpus in ${folder} is asked for`);
  // Not the configuration of this machine: the figures are for the default one.
  const { config } = loadConfig({ file: defaultConfigFile(), env: {} });
  if (config === null) throw new Error('the default configuration is not valid');
  const threads = Math.min(8, availableParallelism());
  const settings = { threads, role: null, direction: null, sample: null, look: () => {} };
  const measured = await measure(corpora, config, settings, createProgress());
  const { run, problems } = measured;
  const [first] = problems;
  if (run === null || first !== undefined)
    throw new Error(`the signatures are not sound: ${first?.file}:${first?.line} ${first?.path} ${first?.message}`);
  const unread = run.corpora.filter((corpus) => corpus.unread.count > 0);
  if (unread.length > 0) throw new Error(`not judged: ${unread.flatMap((corpus) => corpus.unread.first).join('; ')}`);
  return {
    ...summaryOf(run, config.policy, floors),
    conversations: await conversations(corpora, config.policy),
    surrounded: await surrounded(corpora, config.policy),
  };
}

export function detectTable({ corpora }: Summary): string {
  return `Attacks found, %\n\n${foundTable(corpora)}\n\nBenign texts flagged, %\n\n${flaggedTable(corpora)}`;
}

export function foundTable(corpora: readonly CorpusSummary[]): string {
  const mine = corpora.filter(({ direction, attacks }) => direction === 'request' && attacks > 0);
  const share = (of: keyof CorpusSummary) => (corpus: CorpusSummary) => shareOf(corpus[of] as number, corpus.attacks);
  return besidePeers(mine, ['attacks', 'blocked', 'seen'], FOUND_BY_PEERS, [
    share('blockedAttacks'),
    share('seenAttacks'),
  ]);
}

export function flaggedTable(corpora: readonly CorpusSummary[]): string {
  const mine = corpora.filter(({ direction, benign }) => direction === 'request' && benign > 0);
  const share = (of: keyof CorpusSummary) => (corpus: CorpusSummary) => shareOf(corpus[of] as number, corpus.benign);
  return besidePeers(mine, ['benign', 'blocked', 'seen'], FLAGGED_BY_PEERS, [
    share('blockedBenign'),
    share('seenBenign'),
  ]);
}

function besidePeers(
  corpora: readonly CorpusSummary[],
  [count, ...heads]: readonly ['attacks' | 'benign', string, string],
  peers: Readonly<Record<string, readonly number[]>>,
  shares: readonly ((corpus: CorpusSummary) => number | null)[],
): string {
  const theirs = (name: string): readonly (number | null)[] => peers[name] ?? PEERS.map(() => null);
  const rows = corpora.map((corpus) =>
    [corpus.measuredOnly ? corpus.name : `${corpus.name} *`, String(corpus[count])].concat(
      shares.map((share) => percent(share(corpus))),
      theirs(corpus.name).map(oneDecimal),
    ),
  );
  // Our means also cover only the corpora on which the others were measured; otherwise they would not be comparable.
  const common = corpora.filter(({ name }) => Object.hasOwn(peers, name));
  const means = ['mean', ''].concat(
    shares.map((share) => percent(meanOf(common.map(share)))),
    PEERS.map((_, i) => oneDecimal(meanOf(common.map(({ name }) => theirs(name)[i] ?? null)))),
  );
  return markdown(['corpus', count, ...heads, ...PEERS], common.length === 0 ? rows : [...rows, means]);
}

/** The figures of the others are known to one decimal. */
function oneDecimal(share: number | null): string {
  return share === null ? '' : share.toFixed(1);
}
