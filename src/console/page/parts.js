import { html, useEffect, useState } from './preact-htm.js';
import { ask } from './api.js';

/** Components that all views use. All text goes through the templates, which escape it; no code here writes markup. */

/** Requests a path immediately and then at an interval, while the view is open and the tab is visible. */
export function usePoll(path, everyMs) {
  const [state, setState] = useState({ data: null, error: null });
  const [round, setRound] = useState(0);
  useEffect(() => {
    let open = true;
    const look = async () => {
      if (document.hidden) return;
      try {
        const data = await ask('GET', path);
        if (open) setState({ data, error: null });
      } catch (error) {
        if (open) setState((before) => ({ data: before.data, error: error.message }));
      }
    };
    look();
    const timer = setInterval(look, everyMs);
    return () => {
      open = false;
      clearInterval(timer);
    };
  }, [path, everyMs, round]);
  return { ...state, again: () => setRound((n) => n + 1) };
}

export function Figures({ of }) {
  return html`<div class="figures">
    ${of.map(
      ([name, value, tone]) => html`<div class="figure"><b class=${tone ?? ''}>${value}</b><span>${name}</span></div>`,
    )}
  </div>`;
}

/** A table. Each column is [title, function from row to cell, class]. */
export function Table({ label, columns, rows, empty }) {
  if (rows.length === 0) return html`<p class="faint">${empty}</p>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${label}>
    <table>
      <thead>
        <tr>
          ${columns.map(([title, , kind]) => html`<th scope="col" class=${kind ?? ''}>${title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr key=${row.id}>
              ${columns.map(([, cell, kind]) => html`<td class=${kind ?? ''}>${cell(row)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

export function Trouble({ error }) {
  return error === null ? null : html`<p class="bad" role="status">${error}</p>`;
}

const TONES = { block: 'bad', warn: 'warn', log: '', allow: 'good' };

export function Action({ of }) {
  return html`<span class=${`tag ${TONES[of] ?? ''}`}>${of}</span>`;
}

export function count(value) {
  return Math.round(value).toLocaleString('en');
}

export function ago(seconds) {
  if (seconds < 90) return `${Math.max(0, seconds)} s ago`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min ago`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h ago` : `${Math.round(seconds / 86_400)} days ago`;
}
