import { html, useEffect, useRef } from './preact-htm.js';

/** A line chart. The same figures are in tables beside it, for readers who cannot see it. */

/** A line names its own by number. */
const COLOURS = ['#2563eb', '#dc2626', '#d97706', '#059669', '#7c3aed', '#db2777'];

export function Chart({ label, times, lines }) {
  const place = useRef(null);
  useEffect(() => {
    const { uPlot } = window;
    const holder = place.current;
    if (uPlot === undefined || holder === null) return undefined;
    const faint = getComputedStyle(holder).getPropertyValue('--faint');
    const grid = { stroke: getComputedStyle(holder).getPropertyValue('--line'), width: 1 };
    const plot = new uPlot(
      {
        width: holder.clientWidth,
        height: 240,
        cursor: { drag: { x: false, y: false } },
        scales: { y: { range: (_plot, _least, most) => [0, Math.max(1, most * 1.1)] } },
        axes: [
          { stroke: faint, grid },
          { stroke: faint, grid, size: 56 },
        ],
        series: [
          {},
          ...lines.map(({ name, colour }) => ({
            label: name,
            stroke: COLOURS[colour],
            width: 2,
            points: { show: times.length < 3 },
          })),
        ],
      },
      [times, ...lines.map(({ values }) => values)],
      holder,
    );
    const observer = new ResizeObserver(() => plot.setSize({ width: holder.clientWidth, height: 240 }));
    observer.observe(holder);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [JSON.stringify([times, lines])]);
  return html`<div class="chart" role="img" aria-label=${label} ref=${place}></div>`;
}
