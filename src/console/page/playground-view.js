import { html, useState } from './preact-htm.js';
import { ask } from './api.js';
import { Action, Table, Trouble } from './parts.js';

/** Judges a text and shows its verdict and every finding. This is for operators; a sender never sees this much. */

export function PlaygroundView({ alone }) {
  const [answer, setAnswer] = useState(null);
  const [error, setError] = useState(null);
  const [busy, setBusy] = useState(false);
  const judge = async (event) => {
    event.preventDefault();
    const text = event.target.elements.text.value;
    setBusy(true);
    try {
      setAnswer({ text, ...(await ask('POST', '/v1/playground', { json: { text } })) });
      setError(null);
    } catch (caught) {
      setError(caught.message);
    }
    setBusy(false);
  };
  return html`
    <section>
      <h2>Playground</h2>
      <p class="hint">
        Judged as a user's message under the policy of ${alone ? 'this instance' : 'the default group'}. Nothing is
        kept.
      </p>
      <form onSubmit=${judge}>
        <label class="wide">Text <textarea name="text" maxlength="60000" required></textarea></label>
        <button disabled=${busy}>Judge</button>
      </form>
      <${Trouble} error=${error} />
    </section>
    ${answer === null ? null : html`<${Answer} answer=${answer} />`}
  `;
}

function Answer({ answer: { text, verdict, findings, ms } }) {
  const strongestFirst = findings.map((row, id) => ({ ...row, id })).sort((a, b) => b.confidence - a.confidence);
  const { action, category, signature_name: name, confidence } = verdict;
  return html`
    <section aria-live="polite">
      <h2><${Action} of=${action} /> ${category ?? 'nothing found'}</h2>
      <p>
        ${name === null ? null : html`${name}, confidence ${confidence.toFixed(2)}. `}
        <span class="faint">${ms} ms</span>
      </p>
      <p class="hint">${text.length > 300 ? `${text.slice(0, 300)}...` : text}</p>
      <${Table}
        label="What hit"
        rows=${strongestFirst}
        empty="No signature hit."
        columns=${[
          ['Signature', (row) => html`${row.name}<br /><code class="faint">${row.signature}</code>`],
          ['Category', (row) => row.category],
          ['Confidence', (row) => row.confidence.toFixed(2), 'number'],
          ['Read as', (row) => (row.readings.length === 0 ? 'it stands' : row.readings.join(', then '))],
        ]}
      />
    </section>
  `;
}
