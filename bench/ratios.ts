/** The ratios of a record under stable names, which can be compared between runs and machines. */
import type { PartName, Records } from './records.ts';
import type { Spread } from './statistics.ts';

export interface Ratio extends Spread {
  readonly better: 'low' | 'high';
}

export type Ratios = Readonly<Record<string, Ratio>>;

type Named = readonly (readonly [name: string, spread: Spread | undefined, better: Ratio['better']])[];

const OURS = /^guard-/;

const READ = {
  proxy: (record) =>
    (record?.results.rows ?? [])
      .filter(({ name }) => OURS.test(name))
      .map(({ name, ratio }) => [`proxy: ${name} / bare-http-proxy`, ratio, 'low']),
  peers: (record) =>
    Object.entries(record?.results.pairs ?? {}).map(([name, ratio]) => [`peers: ${name}`, ratio as Spread, 'low']),
  stream: (record) =>
    (record?.results.rows ?? [])
      .filter(({ name }) => OURS.test(name))
      .map(({ name, ratio }) => [`stream: ${name} / bare-http-proxy`, ratio, 'low']),
  scan: (record) =>
    (record?.results.benign ?? []).flatMap(({ text, size, contestants }) =>
      Object.entries(contestants)
        .filter(([name]) => name.startsWith('scan'))
        .map(
          ([name, { ofBareSet }]) => [`scan: ${name} / bare RE2.Set, ${text} of ${size} B`, ofBareSet, 'high'] as const,
        ),
    ),
  scale: (record) => [
    ...(record?.results.sizes?.rows ?? []).map(
      ({ bytes, ratio }) => [`scale: scanned / bare, body of ${bytes} B`, ratio['guard-scanned'], 'low'] as const,
    ),
    ...(record?.results.history?.rows ?? []).map(
      ({ name, ofOne }) => [`scale: ${name} / one message`, ofOne['guard-scanned'], 'low'] as const,
    ),
    ...(record?.results.signatures?.rows ?? []).map(
      ({ loaded, ofAll }) => [`scale: signatures, ${loaded} / all`, ofAll, 'low'] as const,
    ),
  ],
  // Detection has floors instead: bench/floors.json.
  detect: () => [],
} satisfies { readonly [Part in PartName]: (record: Records[Part]) => Named };

export function ratiosOf(records: Records, part: PartName): Ratios {
  // A part without ratios is not in the table.
  const read = (READ as Partial<Record<string, (record: unknown) => Named>>)[part] ?? (() => []);
  const found: Record<string, Ratio> = {};
  for (const [name, spread, better] of read(records[part])) {
    // The ratio of a contestant to itself says nothing.
    if (spread !== undefined && (spread.min !== 1 || spread.max !== 1)) found[name] = { ...spread, better };
  }
  return found;
}
