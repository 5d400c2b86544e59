/** Calls the server. It returns the answer, or throws an error with a message that can be displayed. */

let onLeave = () => {};

/** Sets a callback for when the server no longer accepts the session. */
export function whenLeft(callback) {
  onLeave = callback;
}

export async function ask(method, path, { json, body } = {}) {
  const response = await reach(path, {
    method,
    credentials: 'same-origin',
    redirect: 'error',
    // Forms and other sites cannot send this header, so it proves to the server that the request comes from this
    // page.
    headers: { 'X-Guard-Console': '1', ...(json === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(json === undefined ? { body } : { body: JSON.stringify(json) }),
  });
  const answer = await response.json().catch(() => null);
  if (response.ok) return answer;
  if (response.status === 401 && path !== '/v1/session') onLeave();
  throw new Error(answer?.error?.message ?? `The server answered ${response.status}`);
}

/** Browsers say no more than "Failed to fetch", each in its own words. */
async function reach(path, options) {
  try {
    return await fetch(path, options);
  } catch {
    throw new Error('The server does not answer. It has stopped, or the way to it is cut.');
  }
}
