import { html, render, useEffect, useState } from './preact-htm.js';
import { AccessView } from './access-view.js';
import { ask, whenLeft } from './api.js';
import { DetectionsView } from './detections-view.js';
import { FleetView } from './fleet-view.js';
import { InstanceView } from './instance-view.js';
import { Trouble } from './parts.js';
import { PlaygroundView } from './playground-view.js';
import { RolloutView } from './rollout-view.js';

/** The page: the login and up to five views. The open view is in the URL's hash, so that it can be linked to. */

/** How long to wait before the server is asked again whether it lets this page in. */
const AGAIN_MS = 3000;

const VIEWS = {
  instance: ['Instance', InstanceView],
  fleet: ['Fleet', FleetView],
  detections: ['Detections', DetectionsView],
  rollout: ['Roll-out', RolloutView],
  playground: ['Playground', PlaygroundView],
  access: ['Access', AccessView],
};

function Page() {
  // Null until the server has said whether the session is valid, whether there are keys, and which views it has.
  const [session, setSession] = useState(null);
  const [error, setError] = useState(null);
  const [hash, setHash] = useState(location.hash);
  const look = async () => {
    try {
      // This path needs no session: a 401 of a protected one would appear as an error in the browser's console.
      setSession(await ask('GET', '/v1/session'));
      setError(null);
    } catch (caught) {
      setError(caught.message);
      setTimeout(look, AGAIN_MS);
    }
  };
  useEffect(() => {
    whenLeft(look);
    addEventListener('hashchange', () => setHash(location.hash));
    look();
  }, []);
  if (session === null)
    return error === null
      ? null
      : html`<main>
          <section><${Trouble} error=${error} /></section>
        </main>`;
  if (!session.open) return html`<${Login} enter=${look} />`;
  const leave = async () => {
    await ask('DELETE', '/v1/session').catch(() => {});
    setSession({ ...session, open: false });
  };
  const views = session.views.filter((name) => Object.hasOwn(VIEWS, name));
  // A single proxy and a control plane have the same page, and say some things differently.
  const alone = views.includes('instance');
  const view = views.find((name) => hash === `#${name}`) ?? views[0];
  const [, View] = VIEWS[view];
  return html`
    <header>
      <h1><img src="/console/icon.svg" alt="" />guard</h1>
      <nav aria-label="Views">
        ${views.map(
          (name) =>
            html`<a href=${`#${name}`} aria-current=${name === view ? 'page' : undefined}>${VIEWS[name][0]}</a>`,
        )}
      </nav>
      ${session.keyed ? html`<button class="plain" onClick=${leave}>Leave</button>` : null}
    </header>
    <main><${View} key=${view} alone=${alone} /></main>
  `;
}

function Login({ enter }) {
  const [error, setError] = useState('');
  const submit = async (event) => {
    event.preventDefault();
    const field = event.target.elements.key;
    try {
      await ask('POST', '/v1/session', { json: { key: field.value.trim() } });
      field.value = '';
      enter();
    } catch (caught) {
      setError(caught.message);
    }
  };
  return html`<main>
    <section class="login">
      <h2>guard</h2>
      <form onSubmit=${submit}>
        <label class="wide"
          >Key of an administrator
          <input name="key" type="password" autocomplete="current-password" required autofocus />
        </label>
        <button>Enter</button>
      </form>
      <p class="message bad" role="alert">${error}</p>
    </section>
  </main>`;
}

render(html`<${Page} />`, document.querySelector('#app'));
