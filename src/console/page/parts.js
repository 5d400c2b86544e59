import { html, useEffect, useState } from './preact-htm.js';
import { ask } from './api.js';

/** Components that all views use. All text goes through the templates, which escape it; no code here writes markup. */

/** Requests a path immediately and then at an interval, while the view is open and the tab is visible. */
export function usePoll(path, everyMs) {
  const [state, setState] = useState({ data: null, error: null, at: null });
  const [round, setRound] = useState(0);
  useEffect(() => {
    let open = true;
    const look = async () => {
      if (document.hidden) return;
      try {
        const data = await ask('GET', path);
        if (open) setState({ data, error: null, at: new Date() });
      } catch (caught) {
        if (open) setState(({ data, at }) => ({ data, at, error: stale(caught.message, at, everyMs) }));
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

/** What is still on the page after a failure could be taken for what is so now. */
function stale(message, at, everyMs) {
  const shown = at === null ? '' : ` What is shown is from ${at.toLocaleTimeString()}.`;
  return `${message}${shown} It is asked again every ${everyMs / 1000} seconds.`;
}

export function Figures({ of }) {
  return html`<div class="figures">
    ${of.map(
      ([name, value, tone]) => html`<div class="figure"><b class=${tone ?? ''}>${value}</b><span>${name}</span></div>`,
    )}
  </div>`;
}

/**
 * A table. Each column is [title, function from row to cell, class]. On a narrow screen each row is a card, in which the
 * titles stand beside the cells. The style sheet does that, and the roles keep it a table for those who hear it.
 */
export function Table({ label, columns, rows, empty }) {
  if (rows.length === 0) return html`<p class="faint">${empty}</p>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${label}>
    <table role="table">
      <thead role="rowgroup">
        <tr role="row">
          ${columns.map(([title, , kind]) => html`<th scope="col" role="columnheader" class=${kind ?? ''}>${title}</th>`)}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${rows.map(
          (row) =>
            html`<tr key=${row.id} role="row">
              ${columns.map(
                ([title, cell, kind]) =>
                  html`<td role="cell" class=${kind ?? ''} data-title=${title}><div>${cell(row)}</div></td>`,
              )}
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

/** The signatures that an instance runs: those it shipped with, or those of a bundle. */
export function bundle(version) {
  return version === 0 ? 'shipped' : `version ${version}`;
}

export function ago(seconds) {
  if (seconds < 90) return `${Math.max(0, seconds)} s ago`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min ago`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h ago` : `${Math.round(seconds / 86_400)} days ago`;
}
