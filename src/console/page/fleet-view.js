import { html } from './preact-htm.js';
import { ago, bundle, count, Figures, Table, Trouble, usePoll } from './parts.js';

/** All instances: what each runs, what it should run, and when it was last seen. */

/** As many as the server allows one that it counts as heard lately. */
const SILENT_BEATS = 3;

export function FleetView() {
  const { data, error } = usePoll('/v1/fleet?limit=500', 5000);
  if (data === null) return html`<section><${Trouble} error=${error} /></section>`;
  const { counts, instances, heartbeat_s: heartbeatS } = data;
  const drifting = instances.filter(drifts).length;
  return html`
    <${Figures}
      of=${[
        ['instances', count(counts.instances)],
        ['heard lately', count(counts.alive), counts.alive < counts.instances ? 'warn' : 'good'],
        ['drifting', count(drifting), drifting > 0 ? 'warn' : 'good'],
        ['events lost', count(counts.dropped), counts.dropped > 0 ? 'bad' : 'good'],
      ]}
    />
    <section>
      <h2>Fleet</h2>
      <${Trouble} error=${error} />
      <p class="hint">
        Requests and blocks are counted since an instance took its signatures.
        ${
          instances.length < counts.instances
            ? ` Here are ${count(instances.length)} of ${count(counts.instances)} instances; the drift of the others is not looked at. GET /v1/fleet?after=ID lists them.`
            : null
        }
      </p>
      <${Table}
        label="Instances"
        rows=${instances}
        empty="No instance has registered yet. Give a proxy a key with the scope fleet and the address of this server."
        columns=${[
          ['Instance', (row) => html`${row.name}<br /><code class="faint">${row.id.slice(0, 8)}</code>`],
          ['Group', (row) => row.group_name],
          ['Version', (row) => row.version],
          ['Signatures', (row) => html`${bundle(row.bundle_version)} <span class="faint">(${row.signatures})</span>`],
          ['Drift', (row) => html`<${Drift} row=${row} />`],
          ['Requests', (row) => count(row.requests), 'number'],
          ['Blocked', (row) => count(row.blocked), 'number'],
          [
            'Last seen',
            (row) =>
              html`<span class=${row.seen_s > SILENT_BEATS * heartbeatS ? 'warn' : ''}>${ago(row.seen_s)}</span>`,
          ],
        ]}
      />
    </section>
  `;
}

function Drift({ row }) {
  if (row.refused_version !== null && row.refused_version === row.wanted_version)
    return html`<span class="bad">refused ${bundle(row.refused_version)}: ${row.refused_fault}</span>`;
  const parts = [];
  if (row.wanted_version !== null && row.wanted_version !== row.bundle_version)
    parts.push(`should have ${bundle(row.wanted_version)}`);
  if (row.wanted_policy !== row.policy_etag) parts.push('another policy');
  return parts.length === 0
    ? html`<span class="good">none</span>`
    : html`<span class="warn">${parts.join(', ')}</span>`;
}

function drifts(row) {
  const signatures = row.wanted_version !== null && row.wanted_version !== row.bundle_version;
  return signatures || row.wanted_policy !== row.policy_etag;
}
