/** One way to the server: what it says, or an error with a sentence that may be shown as text. */

let onLeave = () => {};

/** Called when the server no longer knows this page. */
export function whenLeft(callback) {
  onLeave = callback;
}

export async function ask(method, path, { json, body } = {}) {
  const response = await fetch(path, {
    method,
    credentials: 'same-origin',
    redirect: 'error',
    // No form and no foreign page can send this header: it is what tells the server that the page itself is asking.
    headers: { 'X-Guard-Console': '1', ...(json === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(json === undefined ? { body } : { body: JSON.stringify(json) }),
  });
  const answer = await response.json().catch(() => null);
  if (response.ok) return answer;
  if (response.status === 401 && path !== '/v1/session') onLeave();
  throw new Error(answer?.error?.message ?? `The server answered ${response.status}`);
}
