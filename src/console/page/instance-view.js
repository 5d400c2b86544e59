import { html } from './preact-htm.js';
import { bundle, count, Figures, Table, Trouble, usePoll } from './parts.js';

/** The one instance whose page this is. */

export function InstanceView() {
  const { data, error } = usePoll('/v1/fleet', 5000);
  if (data === null) return html`<section><${Trouble} error=${error} /></section>`;
  const [instance] = data.instances;
  return html`
    <${Figures}
      of=${[
        ['requests since the start', count(instance.requests)],
        ['blocked', count(instance.blocked), instance.blocked > 0 ? 'bad' : ''],
        ['signatures', count(instance.signatures), instance.signatures === 0 ? 'warn' : ''],
      ]}
    />
    <section>
      <h2>This instance</h2>
      <${Trouble} error=${error} />
      <${Table}
        label="This instance"
        rows=${[instance]}
        columns=${[
          ['Name', (row) => row.name],
          ['Version', (row) => row.version],
          ['Signatures', (row) => `${bundle(row.bundle_version)}, ${count(row.signatures)}`],
        ]}
      />
    </section>
  `;
}
