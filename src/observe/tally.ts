/**
 * Counters, gauges and histograms for the metrics that are updated on every call. prom-client hashes the labels at each
 * observation and looks up a bucket by the text of its bound. Here a label set is looked up once, and counting is an
 * addition. The registry of prom-client accepts these objects as metrics: it only needs a name, and the values when
 * /metrics is read.
 */

interface Sample {
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
  readonly metricName: string;
}

/** The options of a metric, as prom-client takes them. */
export interface Declared {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  readonly registers: readonly { registerMetric(metric: never): void }[];
}

/** The value of one metric for one set of labels. */
export interface Cell {
  value: number;
}

export interface CellFamily {
  /**
   * Takes the label values in the order of the label names. Returns the same cell for the same labels, so it can be
   * cached.
   */
  cell(...values: string[]): Cell;
}

export interface HistogramFamily {
  observer(...values: string[]): (value: number) => void;
}

type Labels = Readonly<Record<string, string>>;

export function createCells(type: 'counter' | 'gauge', declared: Declared): CellFamily {
  const { name, labelNames } = declared;
  const children = family(labelNames, (): Cell => ({ value: 0 }));
  register(type, declared, () =>
    children.all().map(({ labels, of }) => ({ labels, value: of.value, metricName: name })),
  );
  return { cell: children.child };
}

export function createHistogram(declared: Declared & { readonly buckets: readonly number[] }): HistogramFamily {
  const { name, labelNames, buckets } = declared;
  const create = () => {
    // One more bucket for values above the last bound.
    const counts = Array.from({ length: buckets.length + 1 }, () => 0);
    const held = {
      counts,
      sum: 0,
      observe(value: number): void {
        let i = 0;
        while (i < buckets.length && value > buckets[i]!) i += 1;
        counts[i]! += 1;
        held.sum += value;
      },
    };
    return held;
  };
  const children = family(labelNames, create);
  register('histogram', declared, () =>
    children.all().flatMap(({ labels, of }) => {
      let below = 0;
      const samples: Sample[] = of.counts.map((count, i) => {
        below += count;
        return { labels: { le: buckets[i] ?? '+Inf', ...labels }, value: below, metricName: `${name}_bucket` };
      });
      samples.push({ labels, value: of.sum, metricName: `${name}_sum` });
      samples.push({ labels, value: below, metricName: `${name}_count` });
      return samples;
    }),
  );
  return { observer: (...values) => children.child(...values).observe };
}

function register(type: string, { name, help, registers }: Declared, values: () => Sample[]): void {
  const metric = { name, get: () => ({ name, help, type, aggregator: 'sum', values: values() }) };
  for (const registry of registers) registry.registerMetric(metric as never);
}

function family<Of>(labelNames: readonly string[], create: () => Of) {
  const children = new Map<string, { labels: Labels; of: Of }>();
  return {
    child(...values: string[]): Of {
      const key = values.join('\n');
      let child = children.get(key);
      if (child === undefined) {
        child = { labels: Object.fromEntries(labelNames.map((label, i) => [label, values[i] ?? ''])), of: create() };
        children.set(key, child);
      }
      return child.of;
    },
    all: () => [...children.values()],
  };
}
