import type { Point } from './curve.ts';
import { escaped } from './escaped.ts';
import { readableStep } from './readable-step.ts';

/** Draws recall, false positives and precision over the sensitivity as SVG, without a library or a font. */

interface Panel {
  readonly title: string;
  readonly across: string;
  readonly xMost: number;
  readonly yLeast: number;
  readonly yMost: number;
  readonly xUnit: '' | '%';
  readonly line: readonly (readonly [x: number, y: number])[];
  /** The point of the default setting on the line. */
  readonly mark: readonly [x: number, y: number] | null;
}

const [WIDTH, HEIGHT, GAP] = [300, 220, 60];
const [LEFT, TOP, BOTTOM, RIGHT] = [52, 40, 44, 16];
const INK = '#1f2937';
const FAINT = '#d1d5db';
const LINE = '#2563eb';
const MARK = '#b91c1c';

export function chart(points: readonly Point[], sensitivity: number, title: string): string {
  const panels = panelsOf(points, sensitivity);
  const width = LEFT + panels.length * WIDTH + (panels.length - 1) * GAP + RIGHT;
  const height = TOP + HEIGHT + BOTTOM;
  const drawn = panels.map((panel, i) => draw(panel, LEFT + i * (WIDTH + GAP)));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="sans-serif" font-size="12" fill="${INK}">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...drawn,
    '</svg>',
    '',
  ].join('\n');
}

function panelsOf(points: readonly Point[], sensitivity: number): readonly Panel[] {
  const line = (x: (point: Point) => number | null, y: (point: Point) => number | null): [number, number][] =>
    points.flatMap((point): [number, number][] => {
      const [across, up] = [x(point), y(point)];
      return across === null || up === null ? [] : [[across, up]];
    });
  const here = points.find((point) => point.sensitivity >= sensitivity - 1e-9) ?? null;
  const panel = (
    title: string,
    across: string,
    x: (point: Point) => number | null,
    y: (point: Point) => number | null,
    most: { readonly x: number; readonly y: number | null; readonly unit: Panel['xUnit'] },
  ): Panel[] => {
    const drawn = line(x, y);
    if (drawn.length === 0) return [];
    const [markX, markY] = here === null ? [null, null] : [x(here), y(here)];
    const yMost = most.y ?? readableStep(Math.max(...drawn.map(([, up]) => up)));
    const mark = markX === null || markY === null ? null : ([markX, markY] as const);
    const yLeast = most.x === 100 ? roomBelow(Math.min(...drawn.map(([, up]) => up))) : 0;
    return [{ title, across, xMost: most.x, yLeast, yMost, xUnit: most.unit, line: drawn, mark }];
  };
  const dial = (point: Point): number => point.sensitivity;
  return [
    ...panel('Attacks blocked, %', 'policy.sensitivity', dial, (p) => p.recall, { x: 1, y: 100, unit: '' }),
    ...panel('Benign texts blocked, %', 'policy.sensitivity', dial, (p) => p.falsePositives, {
      x: 1,
      y: null,
      unit: '',
    }),
    ...panel(
      'Precision, %, where half is attacks',
      'attacks blocked',
      (p) => p.recall,
      (p) => p.precision,
      {
        x: 100,
        y: 100,
        unit: '%',
      },
    ),
  ];
}

/**
 * The lower end of the precision axis. Precision is mostly close to 100 %, so an axis from zero would show a flat
 * line.
 */
function roomBelow(least: number): number {
  return [95, 90, 80, 50].find((step) => step <= least) ?? 0;
}

const TICKS = 5;

function draw({ title, across, xMost, yLeast, yMost, xUnit, line, mark }: Panel, left: number): string {
  const x = (value: number): string => (left + (WIDTH * value) / xMost).toFixed(1);
  const y = (value: number): string => (TOP + HEIGHT - (HEIGHT * (value - yLeast)) / (yMost - yLeast)).toFixed(1);
  const ticks = Array.from({ length: TICKS + 1 }, (_, i) => i / TICKS);
  const path = line.map(([a, b], i) => `${i === 0 ? 'M' : 'L'}${x(a)} ${y(b)}`).join('');
  return [
    `<text x="${left}" y="${TOP - 16}" font-weight="bold">${escaped(title)}</text>`,
    ...ticks.flatMap((part) => {
      const height = yLeast + part * (yMost - yLeast);
      return [
        `<line x1="${left}" x2="${left + WIDTH}" y1="${y(height)}" y2="${y(height)}" stroke="${FAINT}"/>`,
        `<text x="${left - 8}" y="${y(height)}" text-anchor="end" dominant-baseline="middle">${figure(height)}</text>`,
        `<text x="${x(part * xMost)}" y="${TOP + HEIGHT + 18}" text-anchor="middle">${figure(part * xMost)}${xUnit}</text>`,
      ];
    }),
    `<text x="${left + WIDTH / 2}" y="${TOP + HEIGHT + 36}" text-anchor="middle">${escaped(across)}</text>`,
    `<path d="${path}" fill="none" stroke="${LINE}" stroke-width="2"/>`,
    ...(mark === null ? [] : [spot(x(mark[0]), y(mark[1]), mark[1], mark[0] > xMost / 2)]),
  ].join('\n');
}

/** Marks a point and writes its value below the line, on the side that has room. */
function spot(x: string, y: string, value: number, roomOnTheLeft: boolean): string {
  const beside = Number(x) + (roomOnTheLeft ? -8 : 8);
  const below = Number(y) + 17 > TOP + HEIGHT ? Number(y) - 9 : Number(y) + 17;
  const anchor = roomOnTheLeft ? 'end' : 'start';
  return `<circle cx="${x}" cy="${y}" r="4" fill="${MARK}"/><text x="${beside.toFixed(1)}" y="${below.toFixed(1)}" text-anchor="${anchor}" fill="${MARK}" stroke="#ffffff" stroke-width="3" paint-order="stroke">${figure(value)}</text>`;
}

function figure(value: number): string {
  return String(Number(value.toFixed(value < 10 ? 2 : 1)));
}
