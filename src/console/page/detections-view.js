import { html, useState } from './preact-htm.js';
import { Chart } from './chart.js';
import { Action, count, Figures, Table, Trouble, usePoll } from './parts.js';

/**
 * Detections: what was found and by which signature, what the shadow policy would have done, and how long scans took.
 */

const WINDOWS = [
  [24, 'day'],
  [168, 'week'],
  [720, 'month'],
];
const HOUR_S = 3600;
/** In this order, so that each has the same colour on every page and whatever was counted first. */
const CATEGORIES = ['prompt-injection', 'jailbreak', 'encoding-evasion', 'sensitive-data'];

export function DetectionsView({ alone }) {
  const [hours, setHours] = useState(24);
  const { data, error } = usePoll(`/v1/analytics?hours=${hours}`, 15_000);
  // One instance holds a day, in memory.
  const choose = alone
    ? html`<p class="hint">The last day, or less: nothing is kept over a restart.</p>`
    : html`<form>
        <label
          >Of the last
          <select value=${hours} onChange=${(event) => setHours(Number(event.target.value))}>
            ${WINDOWS.map(([value, name]) => html`<option value=${value}>${name}</option>`)}
          </select>
        </label>
      </form>`;
  if (data === null) return html`<section>${choose}<${Trouble} error=${error} /></section>`;
  const requests = total(data.overTime);
  const found = data.overTime.filter(({ category }) => category !== 'none');
  const blocked = total(found.filter(({ action }) => action === 'block'));
  const would = total(data.shadow.filter(({ action }) => action === 'block'));
  return html`
    ${choose}
    <${Trouble} error=${error} />
    <${Figures}
      of=${[
        ['requests', count(requests)],
        ['detections', count(total(found))],
        ['blocked', count(blocked), blocked > 0 ? 'bad' : ''],
        ['shadow would block', count(would)],
      ]}
    />
    <section>
      <h2>Detections over time</h2>
      <${Chart} label="Detections by category and hour" ...${overTime(found, hours)} />
    </section>
    <div class="pair">
      <section>
        <h2>By category and action</h2>
        <${Table}
          label="Detections by category and action"
          rows=${grouped(found)}
          empty="Nothing was found."
          columns=${[
            ['Category', (row) => row.category],
            ['Action', (row) => html`<${Action} of=${row.action} />`],
            ['Count', (row) => count(row.count), 'number'],
          ]}
        />
      </section>
      <section>
        <h2>Top signatures</h2>
        <${Table}
          label="Signatures that hit most"
          rows=${data.signatures}
          empty="No signature hit."
          columns=${[
            [
              'Signature',
              (row) => html`${row.signature}<${Bar} part=${row.count} whole=${data.signatures[0].count} />`,
            ],
            ['Action', (row) => html`<${Action} of=${row.action} />`],
            ['Count', (row) => count(row.count), 'number'],
          ]}
        />
      </section>
      <section>
        <h2>Shadow policy</h2>
        <p class="hint">What it would have done. Nothing of it was enforced.</p>
        <${Table}
          label="Detections of the shadow policy"
          rows=${data.shadow}
          empty="No shadow policy is in force, or it found nothing."
          columns=${[
            ['Upstream', (row) => row.upstream],
            ['Category', (row) => row.category],
            ['Would', (row) => html`<${Action} of=${row.action} />`],
            ['Count', (row) => count(row.count), 'number'],
          ]}
        />
      </section>
      <section>
        <h2>Latency added by scanning</h2>
        <p class="hint">Rounded up to bounds of which each is twice the one before.</p>
        <${Table}
          label="Scan time by upstream"
          rows=${latencies(data.latency)}
          empty="Nothing was scanned."
          columns=${[
            ['Upstream', (row) => (row.upstream === 'none' ? 'none: POST /check' : row.upstream)],
            ['Half below', (row) => ms(row.half), 'number'],
            ['99 % below', (row) => ms(row.most), 'number'],
            ['Scans', (row) => count(row.count), 'number'],
          ]}
        />
      </section>
    </div>
  `;
}

function Bar({ part, whole }) {
  // Set as a property, because the Content-Security-Policy of the page forbids inline styles.
  const size = (element) => element?.style.setProperty('width', `${(100 * part) / Math.max(1, whole)}%`);
  return html`<div class="bar"><i ref=${size}></i></div>`;
}

function total(rows) {
  return rows.reduce((sum, row) => sum + row.count, 0);
}

function grouped(rows) {
  const groups = new Map();
  for (const { category, action, count: seen } of rows) {
    const key = `${category} ${action}`;
    const group = groups.get(key) ?? { id: key, category, action, count: 0 };
    group.count += seen;
    groups.set(key, group);
  }
  return [...groups.values()].sort((a, b) => b.count - a.count);
}

/** Hours without detections are zero; otherwise the chart would draw a straight line across them. */
function overTime(rows, hours) {
  const end = Math.floor(Date.now() / 1000 / HOUR_S) * HOUR_S;
  const times = Array.from({ length: hours + 1 }, (_, at) => end - (hours - at) * HOUR_S);
  const at = new Map(times.map((time, index) => [time, index]));
  const lines = new Map();
  for (const { hour, category, count: seen } of rows) {
    const index = at.get(Date.parse(hour) / 1000);
    if (index === undefined) continue;
    if (!lines.has(category))
      lines.set(category, { name: category, colour: colourOf(category), values: times.map(() => 0) });
    lines.get(category).values[index] += seen;
  }
  return { times, lines: [...lines.values()].sort((a, b) => a.colour - b.colour) };
}

function colourOf(category) {
  const at = CATEGORIES.indexOf(category);
  return at === -1 ? CATEGORIES.length : at;
}

function latencies(rows) {
  const upstreams = new Map();
  for (const { upstream, bucket, count: seen } of rows) {
    if (!upstreams.has(upstream)) upstreams.set(upstream, []);
    upstreams.get(upstream).push([bucket, seen]);
  }
  return [...upstreams].map(([upstream, buckets]) => {
    const all = buckets.reduce((sum, [, times]) => sum + times, 0);
    const below = (share) => {
      let seen = 0;
      for (const [bucket, times] of buckets) {
        seen += times;
        if (seen >= all * share) return 0.016 * 2 ** bucket;
      }
      return 0;
    };
    return { id: upstream, upstream, half: below(0.5), most: below(0.99), count: all };
  });
}

/** A bound of a bucket, 0.016 ms times a power of two: more digits would claim what was not measured. */
function ms(value) {
  if (value < 1) return `${Number(value.toPrecision(1))} ms`;
  return value < 1000 ? `${Math.round(value)} ms` : `${Math.round(value / 1000)} s`;
}
