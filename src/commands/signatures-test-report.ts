import type { SignatureCost } from '../domain/cost.ts';
import type { BenignTally } from './benign.ts';

/** The tables of `guard signatures test`, and why it fails. */

const MOST_ROWS = 20;

export function costTable(costs: readonly SignatureCost[], slowest: number): string {
  const shown = costs.slice(0, MOST_ROWS);
  const width = Math.max('signature'.length, ...shown.map((cost) => nameOf(cost).length));
  const rows = shown.map((cost) => {
    const mark = cost.mbPerSecond < slowest ? ' <' : '  ';
    return `${cost.mbPerSecond.toFixed(1).padStart(8)}${mark}  ${nameOf(cost).padEnd(width)}  ${cost.kind}`;
  });
  const rest = costs.slice(MOST_ROWS);
  return [
    `Hostile text against each signature, slowest first; one thread, best of three; < is below ${slowest} MB/s`,
    `    MB/s    ${'signature'.padEnd(width)}  kind of text`,
    ...rows,
    ...(rest.length === 0
      ? []
      : [`          and ${rest.length} more, up to ${rest.at(-1)!.mbPerSecond.toFixed(1)} MB/s`]),
  ].join('\n');
}

function nameOf({ signature }: SignatureCost): string {
  return signature ?? '(all of them)';
}

export function benignTable(judged: BenignTally): string {
  const { texts, characters, blocked, warned, places, bySignature } = judged;
  const found = Object.entries(bySignature).sort((a, b) => b[1] - a[1]);
  const share = (count: number): string => (texts === 0 ? '' : ` (${((100 * count) / texts).toFixed(2)} %)`);
  return [
    `Benign text: ${texts} texts, ${characters} characters`,
    `  blocked when sent by a client      ${blocked.request}${share(blocked.request)}`,
    `  blocked when answered by a model   ${blocked.response}${share(blocked.response)}`,
    `  warned about, either way           ${warned}${share(warned)}`,
    ...(found.length === 0 ? [] : ['', '   texts  found in them']),
    ...found.slice(0, MOST_ROWS).map(([id, count]) => `${String(count).padStart(8)}  ${id}`),
    ...(places.length === 0 ? [] : ['', '  blocked, the first of them:']),
    ...places.map(({ place, direction, category, name, confidence }) => {
      return `  ${place}  ${direction}  ${category}  ${name}  ${confidence.toFixed(2)}`;
    }),
  ].join('\n');
}

export function costFailures(costs: readonly SignatureCost[], slowest: number): string[] {
  const slow = costs.filter(({ mbPerSecond }) => mbPerSecond < slowest);
  if (slow.length === 0) return [];
  return [
    `${slow.length} of ${costs.length} hostile texts are scanned below ${slowest} MB/s, the slowest at ${slow[0]!.mbPerSecond.toFixed(1)}`,
  ];
}

export function benignFailures({ texts, blocked, unread, unreadCount }: BenignTally, mostBlocked: number): string[] {
  const worst = Math.max(blocked.request, blocked.response);
  return [
    ...(texts === 0 ? ['the folder holds no text: .txt files, or .jsonl files with a text a line'] : []),
    ...(worst > mostBlocked ? [`${worst} of ${texts} benign texts would be blocked; ${mostBlocked} may be`] : []),
    ...(unreadCount > 0
      ? [`${unreadCount} texts were not judged: ${unread.map(({ place, reason }) => `${place} ${reason}`).join(', ')}`]
      : []),
  ];
}
