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
    // Asked for at each drawing: the style sheet has others in the dark.
    const colour = (name) => () => getComputedStyle(holder).getPropertyValue(name);
    const axis = { stroke: colour('--faint'), grid: { stroke: colour('--line'), width: 1 } };
    const plot = new uPlot(
      {
        width: holder.clientWidth,
        height: 240,
        cursor: { drag: { x: false, y: false } },
        scales: { y: { range: (_plot, _least, most) => [0, Math.max(1, most * 1.1)] } },
        axes: [axis, { ...axis, size: 56 }],
        series: [
          {},
          ...lines.map((line) => ({
            label: line.name,
            stroke: COLOURS[line.colour],
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
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const redraw = () => plot.redraw(false);
    scheme.addEventListener('change', redraw);
    return () => {
      scheme.removeEventListener('change', redraw);
      observer.disconnect();
      plot.destroy();
    };
  }, [JSON.stringify([times, lines])]);
  return html`<div class="chart" role="img" aria-label=${label} ref=${place}></div>`;
}
