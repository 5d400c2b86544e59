import { markdown } from './markdown.ts';
import { signatureTallies } from './signature-tallies.ts';
import { groupsOf, rowsUnder, type Floor } from './floors.ts';
import type { CorpusRun, EvalRun } from './record.ts';
import { meanOf, shareOf, subtypesOf, tallyOf, type Tally } from './tally.ts';

/** Formats a run as Markdown tables. */

/** A percentage with two decimals below 10 and one above; empty for null. */
export function percent(share: number | null): string {
  return share === null ? '' : share.toFixed(share < 10 && share > 0 ? 2 : 1);
}

const HEAD = ['', 'attacks', 'blocked %', 'seen %', 'found %', 'benign', 'blocked', '%', 'seen %'];

function cellsOf(tally: Tally): string[] {
  const { attacks, blockedAttacks, seenAttacks, foundAttacks, benign, blockedBenign, seenBenign } = tally;
  return [
    attacks === 0 ? '' : String(attacks),
    percent(shareOf(blockedAttacks, attacks)),
    percent(shareOf(seenAttacks, attacks)),
    percent(shareOf(foundAttacks, attacks)),
    benign === 0 ? '' : String(benign),
    benign === 0 ? '' : String(blockedBenign),
    percent(shareOf(blockedBenign, benign)),
    percent(shareOf(seenBenign, benign)),
  ];
}

export function corpusTable({ corpora }: EvalRun): string {
  const tallies = corpora.map(({ rows }) => tallyOf(rows));
  const rows = corpora.map((corpus, i) => [nameOf(corpus)].concat(cellsOf(tallies[i]!), perKb(corpus)));
  const mean = (pick: (tally: Tally) => number | null): string => percent(meanOf(tallies.map(pick)));
  const characters = corpora.reduce((total, corpus) => total + corpus.characters, 0);
  const cpuMs = corpora.reduce((total, corpus) => total + corpus.cpuMs, 0);
  const means = [
    'mean of the corpora',
    '',
    mean((t) => shareOf(t.blockedAttacks, t.attacks)),
    mean((t) => shareOf(t.seenAttacks, t.attacks)),
    mean((t) => shareOf(t.foundAttacks, t.attacks)),
    '',
    '',
    mean((t) => shareOf(t.blockedBenign, t.benign)),
    mean((t) => shareOf(t.seenBenign, t.benign)),
    '',
  ];
  const total = tallyOf(corpora.flatMap(({ rows: some }) => some));
  const all = ['all texts', ...cellsOf(total), perKb({ characters, cpuMs })];
  const body = corpora.length > 1 ? [...rows, means, all] : rows;
  const note = total.refused === 0 ? '' : `\n\n${total.refused} of these were refused unread, which counts as blocked.`;
  return `${markdown(['corpus', ...HEAD.slice(1), 'us/KB'], body)}${note}`;
}

function nameOf({ name, direction }: CorpusRun): string {
  return direction === 'response' ? `${name} (as answers)` : name;
}

function perKb({ characters, cpuMs }: { readonly characters: number; readonly cpuMs: number }): string {
  return characters === 0 ? '' : ((1000 * cpuMs) / (characters / 1024)).toFixed(1);
}

export function subtypeTable({ corpora }: EvalRun, depth?: number): string {
  const rows = corpora.flatMap(({ name, rows: all }) => {
    const groups = [...subtypesOf(all, depth)].sort(([a], [b]) => (a < b ? -1 : 1));
    return groups.map(([subtype, some]) => [`${name}:${subtype}`].concat(cellsOf(tallyOf(some))));
  });
  return markdown(['corpus:subtype', ...HEAD.slice(1)], rows);
}

export function groupTable(floors: readonly Floor[], corpora: readonly CorpusRun[]): string {
  return markdown(
    ['floor', ...HEAD.slice(1)],
    groupsOf(floors).map((floor) => [floor.name].concat(cellsOf(tallyOf(rowsUnder(floor, corpora))))),
  );
}

export function signatureTable({ corpora }: EvalRun, most: number): string {
  const all = signatureTallies(corpora);
  const rows = all
    .slice(0, most)
    .map((t) =>
      [t.signature, t.hits, t.corpora, t.alone, t.needed, t.falseHits, t.falselyNeeded].map((cell) => String(cell)),
    );
  const head = ['signature', 'hits', 'in corpora', 'alone', 'needed', 'false hits', 'blocks falsely'];
  const rest = all.length - rows.length;
  return `${markdown(head, rows)}${rest > 0 ? `\n\nand ${rest} more with fewer false hits; --signatures shows all` : ''}`;
}
