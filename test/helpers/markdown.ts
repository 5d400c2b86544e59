/** Tables of the pages that are made from a run. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

export function row(cells: readonly string[]): string {
  return `| ${cells.map(cell).join(' | ')} |`;
}

export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  return [row(heads), row(heads.map(() => '---')), ...rows.map(row)].join('\n');
}

/** Rounded down: a page must not promise what was not reached. */
export function percent(share: number): string {
  return `${(Math.floor(share * 1000) / 10).toFixed(1)} %`;
}
