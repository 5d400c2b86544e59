import { escaped } from '../src/eval/escaped.ts';
import { readableStep } from '../src/eval/readable-step.ts';

/** Charts as SVG text, without a library, a script or a font. Text from a record is escaped. */

export interface Bar {
  readonly label: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly said: string;
  readonly ours: boolean;
}

export interface Series {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

export interface Plot {
  readonly across: string;
  readonly up: string;
  readonly series: readonly Series[];
  readonly xLog?: boolean;
  readonly yLog?: boolean;
  readonly xSays?: (value: number) => string;
  /** Where the axis starts, instead of at 0. A logarithmic axis has no zero. */
  readonly yFrom?: number;
}

/** Narrow, so that text stays readable on a phone. */
const WIDTH = 460;
const BAR_STEP = 40;
const [LEFT, RIGHT, TOP, HEIGHT, BOTTOM] = [58, 30, 30, 220, 46];
const LEGEND_STEP = 18;
/** Contestants that occur in several charts always have the same color; the others get the remaining ones. */
const KNOWN: Readonly<Record<string, string>> = {
  'guard-scanned': 'c0',
  'guard-unscanned': 'c2',
  'bare-http-proxy': 'c5',
};
const FREE = ['c1', 'c3', 'c4'] as const;

/** How many characters of a label fit beside a figure, and of a legend beside its color, on a phone. */
const [LABEL_CHARS, LEGEND_CHARS] = [40, 40];

function cut(text: string, chars: number): string {
  return text.length > chars ? `${text.slice(0, chars - 1)}…` : text;
}

/** `mark` draws a line across each bar, at the value that it is to be held against. */
export function bars(list: readonly Bar[], title: string, mark?: number): string {
  const most = Math.max(...list.map(({ max }) => max));
  const x = (value: number): string => ((value / most) * (WIDTH - 2)).toFixed(1);
  const rows = list.map(({ label, value, min, max, said, ours }, i) => {
    const y = i * BAR_STEP;
    return [
      `<text x="0" y="${y + 14}">${escaped(cut(label, LABEL_CHARS))}</text>`,
      `<text x="${WIDTH}" y="${y + 14}" text-anchor="end" class="figure">${escaped(said)}</text>`,
      `<rect class="mark ${ours ? 'c0' : 'c5'} bar" x="0" y="${y + 20}" width="${x(value)}" height="12" rx="2"/>`,
      `<path class="spread" d="M${x(min)} ${y + 26}H${x(max)}M${x(min)} ${y + 22}v8M${x(max)} ${y + 22}v8"/>`,
    ].join('');
  });
  // Not through the labels, which stand between the bars.
  const lines = list.map((_, i) => (mark === undefined ? '' : `M${x(mark)} ${i * BAR_STEP + 17}v18`)).join('');
  return svg(list.length * BAR_STEP, title, [...rows, lines === '' ? '' : `<path class="against" d="${lines}"/>`]);
}

export function plot(
  { across, up, series, xLog = false, yLog = false, xSays = short, yFrom = 0 }: Plot,
  title: string,
) {
  const points = series.flatMap((one) => one.points);
  const xs = scale(
    points.map(([x]) => x),
    xLog,
    xLog ? null : 0,
  );
  const ys = scale(
    points.map(([, y]) => y),
    yLog,
    yLog ? null : yFrom,
  );
  const width = WIDTH - LEFT - RIGHT;
  const x = (value: number): string => (LEFT + width * xs.place(value)).toFixed(1);
  const y = (value: number): string => (TOP + HEIGHT - HEIGHT * ys.place(value)).toFixed(1);
  const parts = [`<text x="0" y="14" class="axis">${escaped(up)}</text>`];
  for (const tick of ys.ticks) {
    parts.push(`<path class="grid" d="M${LEFT} ${y(tick)}H${WIDTH - RIGHT}"/>`);
    parts.push(
      `<text class="axis" x="${LEFT - 6}" y="${y(tick)}" text-anchor="end" dy="4">${escaped(short(tick))}</text>`,
    );
  }
  for (const tick of xs.ticks)
    parts.push(
      `<text class="axis" x="${x(tick)}" y="${TOP + HEIGHT + 18}" text-anchor="middle">${escaped(xSays(tick))}</text>`,
    );
  parts.push(
    `<text class="axis" x="${LEFT + width / 2}" y="${TOP + HEIGHT + 38}" text-anchor="middle">${escaped(across)}</text>`,
  );
  const unknown = series.map(({ name }) => name).filter((name) => KNOWN[name] === undefined);
  for (const [i, { name, points: own }] of series.entries()) {
    const colour = series.length === 1 ? 'c0' : (KNOWN[name] ?? FREE[unknown.indexOf(name) % FREE.length]!);
    const path = own.map(([a, b], at) => `${at === 0 ? 'M' : 'L'}${x(a)} ${y(b)}`).join('');
    parts.push(`<path class="mark line ${colour}" d="${path}"/>`);
    if (own.length <= DOTTED)
      for (const [a, b] of own) parts.push(`<circle class="mark dot ${colour}" cx="${x(a)}" cy="${y(b)}" r="3"/>`);
    const legend = TOP + HEIGHT + BOTTOM + i * LEGEND_STEP + 12;
    parts.push(
      `<path class="line ${colour}" d="M${LEFT} ${legend - 4}h18"/><text x="${LEFT + 26}" y="${legend}">${escaped(cut(name, LEGEND_CHARS))}</text>`,
    );
  }
  return svg(TOP + HEIGHT + BOTTOM + series.length * LEGEND_STEP + 4, title, parts);
}

const DOTTED = 16;

function svg(height: number, title: string, parts: readonly string[]): string {
  return `<svg viewBox="0 0 ${WIDTH} ${height}" role="img"><title>${escaped(title)}</title>${parts.join('')}</svg>`;
}

interface Scale {
  readonly ticks: readonly number[];
  /** The position of a value, from 0 to 1. */
  readonly place: (value: number) => number;
}

function scale(values: readonly number[], log: boolean, from: number | null): Scale {
  const most = Math.max(...values);
  if (log) {
    const low = Math.floor(Math.log10(Math.min(...values)));
    const high = Math.max(low + 1, Math.ceil(Math.log10(most)));
    const step = Math.ceil((high - low) / 6);
    const ticks = Array.from({ length: Math.floor((high - low) / step) + 1 }, (_, i) => 10 ** (low + i * step));
    return { ticks, place: (value) => (Math.log10(value) - low) / (high - low) };
  }
  const low = Math.min(from ?? 0, ...values);
  const step = readableStep((most - low) / 5);
  // A rounding error must not add another step.
  const high = low + step * Math.max(1, Math.ceil((most - low) / step - 1e-6));
  const count = Math.round((high - low) / step);
  return {
    ticks: Array.from({ length: count + 1 }, (_, i) => low + i * step),
    place: (value) => (value - low) / (high - low),
  };
}

function short(value: number): string {
  if (Math.abs(value) >= 1e6) return `${Number((value / 1e6).toPrecision(3))}M`;
  if (Math.abs(value) >= 1e4) return `${Number((value / 1e3).toPrecision(3))}k`;
  return String(Number(value.toPrecision(3)));
}

export function bytesSay(value: number): string {
  if (value >= 1e6) return `${short(value / 1e6)} MB`;
  return value >= 1e3 ? `${short(value / 1e3)} KB` : `${short(value)} B`;
}
