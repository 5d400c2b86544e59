import { html, useState } from './preact-htm.js';
import { ask } from './api.js';
import { Table, Trouble, usePoll } from './parts.js';

/** Roll-outs of bundles: upload, start with a share of a group, widen, and halt. */

const STEPS = [5, 25, 50, 100];

export function RolloutView() {
  const rollouts = usePoll('/v1/rollouts', 3000);
  const bundles = usePoll('/v1/bundles', 15_000);
  const groups = usePoll('/v1/groups', 15_000);
  const [said, setSaid] = useState({ text: '', tone: '' });
  const act = async (work, done) => {
    try {
      await work();
      setSaid({ text: done, tone: 'good' });
    } catch (error) {
      setSaid({ text: error.message, tone: 'bad' });
    }
    rollouts.again();
    bundles.again();
  };
  const upload = (event) => {
    event.preventDefault();
    const [file] = event.target.elements.bundle.files;
    if (file !== undefined) act(() => ask('POST', '/v1/bundles', { body: file }), 'The bundle is kept.');
  };
  const start = (event) => {
    event.preventDefault();
    const { version, group, percent } = event.target.elements;
    const json = { version: Number(version.value), group: group.value, percent: Number(percent.value) };
    act(() => ask('POST', '/v1/rollouts', { json }), 'The roll-out has started.');
  };
  const versions = bundles.data?.bundles ?? [];
  return html`
    <section>
      <h2>Roll-outs</h2>
      <${Trouble} error=${rollouts.error} />
      <${Table}
        label="Roll-outs"
        rows=${rollouts.data?.rollouts ?? []}
        empty="Nothing has been rolled out: every instance has the signatures that it shipped with."
        columns=${[
          ['Bundle', (row) => `version ${row.version}`],
          ['Group', (row) => row.group_name],
          ['State', (row) => html`<${State} row=${row} />`],
          ['Share', (row) => html`<progress max="100" value=${row.percent}></progress> ${row.percent} %`],
          ['Taken', (row) => `${row.taken} of ${row.instances}`, 'number'],
          ['Refused', (row) => html`<span class=${row.refused > 0 ? 'bad' : ''}>${row.refused}</span>`, 'number'],
          ['', (row) => html`<${Moves} row=${row} act=${act} />`],
        ]}
      />
      <p class=${`message ${said.tone}`} role="status">${said.text}</p>
    </section>
    <div class="pair">
      <section>
        <h2>Start a roll-out</h2>
        <form onSubmit=${start}>
          <label
            >Bundle
            <select name="version" required>
              ${versions.map(({ version }) => html`<option value=${version}>version ${version}</option>`)}
            </select>
          </label>
          <label
            >Group
            <select name="group" required>
              ${(groups.data?.groups ?? []).map(({ name }) => html`<option value=${name}>${name}</option>`)}
            </select>
          </label>
          <label>Share in % <input name="percent" type="number" min="0" max="100" value="5" required /></label>
          <button disabled=${versions.length === 0}>Start</button>
        </form>
      </section>
      <section>
        <h2>Upload a signed bundle</h2>
        <form onSubmit=${upload}>
          <label
            ><span>Made by <code>guard signatures sign</code></span> <input name="bundle" type="file" required
          /></label>
          <button>Upload</button>
        </form>
      </section>
    </div>
    <section>
      <h2>Bundles</h2>
      <${Table}
        label="Bundles"
        rows=${versions.map(described)}
        empty="No bundle was uploaded yet."
        columns=${[
          ['Version', (row) => row.version],
          ['Signed by', (row) => html`<code>${row.key_id}</code>`],
          ['Made', (row) => day(row.created)],
          ['May be taken until', (row) => day(row.expires)],
          ['Oldest guard', (row) => row.min_engine],
        ]}
      />
    </section>
  `;
}

function State({ row }) {
  if (row.state === 'halted')
    return html`<span class="bad">halted</span><br /><span class="faint">${row.reason}</span>`;
  return row.percent === 100 ? html`<span class="good">everywhere</span>` : html`<span>under way</span>`;
}

function Moves({ row, act }) {
  if (row.state === 'halted') return null;
  const path = `/v1/rollouts/${row.id}`;
  const next = STEPS.find((step) => step > row.percent);
  const halt = () => {
    const question = `Halt the roll-out of ${row.version}? Its instances go back, and it cannot go on: that takes a new version.`;
    if (confirm(question)) act(() => ask('PATCH', path, { json: { halt: true } }), 'Halted; its instances go back.');
  };
  return html`
    ${
      next === undefined
        ? null
        : html`<button
            class="plain"
            onClick=${() => act(() => ask('PATCH', path, { json: { percent: next } }), `Widened to ${next} %.`)}
          >
            To ${next} %
          </button> `
    }
    <button class="danger" onClick=${halt}>Halt</button>
  `;
}

function described({ version, manifest }) {
  const { key_id, created, expires, min_engine } = JSON.parse(manifest);
  return { id: version, version, key_id, created, expires, min_engine };
}

function day(text) {
  return String(text ?? '').slice(0, 10);
}
