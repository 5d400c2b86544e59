import type { Delta } from './compare.ts';
import { confidencesOf, leaveOneOut, type LeftOut } from './confidences.ts';
import { curveOf } from './curve.ts';
import type { BrokenFloor } from './floors.ts';
import type { CorpusRun } from './record.ts';
import { markdown } from './markdown.ts';
import { percent } from './table.ts';
import { meanOf } from './tally.ts';
import type { Policy } from '../domain/policy.ts';

/** The optional parts of a report. */

export const MOST_IDS = 40;

export function floorReport(broken: readonly BrokenFloor[], floors: number): string {
  if (broken.length === 0) return `all ${floors} floors hold`;
  const rows = broken.map(({ name, what, bar, is }) => [
    name,
    WORDS[what],
    bar === null ? '' : String(bar),
    percent(is),
  ]);
  const lists = broken
    .filter(({ ids }) => ids.length > 0)
    .map(({ name, what, ids }) => `${name}, ${WORDS[what]}; on the wrong side: ${someOf(ids)}`);
  return [
    `${broken.length} of ${floors} floors are broken`,
    '',
    markdown(['floor', 'what', 'bar', 'is'], rows),
    '',
    ...lists,
  ].join('\n');
}

const WORDS: Readonly<Record<BrokenFloor['what'], string>> = {
  blocked: 'attacks blocked %',
  seen: 'attacks seen %',
  found: 'attacks found %',
  falsePositives: 'benign texts blocked %',
  'nothing measured': 'nothing of it was measured',
};

/** Names at most `most` improved and `most` worsened texts of each corpus, the worsened ones first. */
export function compareReport(deltas: readonly Delta[], most = Infinity): string {
  const signed = (gained: number, lost: number): string => `+${gained} -${lost}`;
  const rows = deltas.map(({ corpus, recall, falsePositives, unmatched }) => [
    corpus,
    signed(...recall),
    signed(falsePositives[1], falsePositives[0]),
    String(unmatched),
  ]);
  const table = markdown(['corpus', 'attacks blocked', 'benign blocked', 'in one run only'], rows);
  const lists = deltas.flatMap(({ corpus, changes }) => {
    const [better, worse] = [changes.filter((change) => change.better), changes.filter((change) => !change.better)];
    return [
      ...(worse.length === 0 ? [] : [`${corpus}, worse:`, ...linesOf(worse, most)]),
      ...(better.length === 0 ? [] : [`${corpus}, better:`, ...linesOf(better, most)]),
    ];
  });
  return [table, '', ...(lists.length === 0 ? ['no text is judged otherwise'] : lists)].join('\n');
}

function linesOf(changes: Delta['changes'], most: number): string[] {
  const rest = changes.length - most;
  return [...changes.slice(0, most).map(lineOf), ...(rest > 0 ? [`  and ${rest} more`] : [])];
}

function lineOf({ id, from, to }: Delta['changes'][number]): string {
  return `  ${id}  ${from} -> ${to}`;
}

function someOf(ids: readonly string[]): string {
  const rest = ids.length - MOST_IDS;
  return `${ids.slice(0, MOST_IDS).join(' ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

export function confidenceReport(corpora: readonly CorpusRun[], policy: Policy): string {
  const confidences = [...confidencesOf(corpora)].sort(
    (a, b) => Math.abs(b.written - b.suggested) - Math.abs(a.written - a.suggested),
  );
  const two = (value: number): string => value.toFixed(2);
  const rows = confidences.map(({ signature, hits, falseHits, corpora: count, written, suggested, withoutBest }) => [
    signature,
    String(hits),
    String(falseHits),
    String(count),
    two(written),
    two(suggested),
    two(withoutBest),
  ]);
  const head = ['signature', 'hits', 'false hits', 'in corpora', 'written', 'suggested', 'without its best corpus'];
  return `${markdown(head, rows)}\n\n${leftOutReport(corpora, policy)}`;
}

function leftOutReport(corpora: readonly CorpusRun[], policy: Policy): string {
  const left = leaveOneOut(corpora, policy);
  // Different things are searched for in responses, so a common mean with requests would say nothing about either.
  const means = (['request', 'response'] as const).flatMap((direction) => {
    const mine = left.filter((_, i) => corpora[i]!.direction === direction);
    const name = direction === 'request' ? 'mean of the corpora' : 'mean of the answers';
    return mine.length === 0 ? [] : [leftOutMean(name, mine)];
  });
  const head = ['corpus left out', 'attacks', 'blocked %', 'benign', 'blocked %'];
  return `Confidences from the other corpora alone, signatures alone:\n\n${markdown(head, [...leftOutRows(left), ...means])}`;
}

export function leftOutRows(left: readonly LeftOut[]): string[][] {
  return left.map(({ corpus, attacks, recall, benign, falsePositives }) => [
    corpus,
    attacks === 0 ? '' : String(attacks),
    percent(recall),
    benign === 0 ? '' : String(benign),
    percent(falsePositives),
  ]);
}

export function leftOutMean(name: string, left: readonly LeftOut[]): string[] {
  const mean = (of: (one: LeftOut) => number | null): string => percent(meanOf(left.map(of)));
  return [name, '', mean((one) => one.recall), '', mean((one) => one.falsePositives)];
}

const DIALS = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8];

export function curveReport(corpora: readonly CorpusRun[]): string {
  const points = curveOf(corpora, 'request');
  const rows = DIALS.flatMap((dial) => {
    const point = points.find(({ sensitivity }) => Math.abs(sensitivity - dial) < 1e-9);
    return point === undefined
      ? []
      : [[dial.toFixed(1), percent(point.recall), percent(point.falsePositives), percent(point.precision)]];
  });
  return rows.length === 0
    ? ''
    : markdown(['sensitivity', 'attacks blocked %', 'benign blocked %', 'precision %'], rows);
}
