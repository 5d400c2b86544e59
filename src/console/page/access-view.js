import { html, useState } from './preact-htm.js';
import { ask } from './api.js';
import { Table, Trouble, usePoll } from './parts.js';

/** The keys for this server, and the groups of instances. */

const SCOPES = [
  ['fleet', 'proxies'],
  ['check', 'the hosted check'],
  ['admin', 'administration'],
];

export function AccessView() {
  const keys = usePoll('/v1/keys', 15_000);
  const groups = usePoll('/v1/groups', 15_000);
  const [made, setMade] = useState(null);
  const [error, setError] = useState(null);
  const act = async (work) => {
    try {
      await work();
      setError(null);
    } catch (caught) {
      setError(caught.message);
    }
    keys.again();
    groups.again();
  };
  const createKey = (event) => {
    event.preventDefault();
    const { id, scope } = event.target.elements;
    const json = { id: id.value, scopes: [scope.value] };
    act(async () => setMade(await ask('POST', '/v1/keys', { json })));
    event.target.reset();
  };
  const revoke = (id) => {
    const question = `Revoke the key ${id}? Whoever uses it is refused at once, and the name stays taken.`;
    if (confirm(question)) act(() => ask('DELETE', `/v1/keys/${id}`));
  };
  const createGroup = (event) => {
    event.preventDefault();
    act(() => ask('POST', '/v1/groups', { json: { name: event.target.elements.group.value } }));
    event.target.reset();
  };
  return html`
    <section>
      <h2>Keys</h2>
      <${Trouble} error=${error ?? keys.error} />
      <${Table}
        label="Keys"
        rows=${keys.data?.keys ?? []}
        empty="There is no key."
        columns=${[
          ['Name', (row) => row.id],
          ['Opens', (row) => row.scopes.join(', ')],
          ['Made', (row) => (row.created_at === null ? 'in the file' : row.created_at.slice(0, 10))],
          [
            '',
            (row) =>
              row.from === 'file' ? null : html`<button class="danger" onClick=${() => revoke(row.id)}>Revoke</button>`,
          ],
        ]}
      />
    </section>
    <div class="pair">
      <section>
        <h2>Make a key</h2>
        <form onSubmit=${createKey}>
          <label>Name <input name="id" required pattern="[A-Za-z0-9._\\-]+" maxlength="64" /></label>
          <label
            >For
            <select name="scope">
              ${SCOPES.map(([value, name]) => html`<option value=${value}>${name}</option>`)}
            </select>
          </label>
          <button>Make</button>
        </form>
        ${
          made === null
            ? null
            : html`<p role="status">
                The key <b>${made.id}</b>, shown this once:<br /><code class="secret">${made.key}</code>
              </p>`
        }
      </section>
      <section>
        <h2>Groups</h2>
        <${Table}
          label="Groups"
          rows=${groups.data?.groups ?? []}
          empty="There is no group."
          columns=${[
            ['Group', (row) => row.name],
            ['Policy', (row) => (row.policy_etag === null ? "each instance's own" : row.policy_etag.slice(0, 8))],
          ]}
        />
        <form onSubmit=${createGroup}>
          <label>New group <input name="group" required pattern="[A-Za-z0-9._\\-]+" maxlength="64" /></label>
          <button>Make</button>
        </form>
      </section>
    </div>
  `;
}
