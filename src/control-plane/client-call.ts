/**
 * A request to a control plane, which may be slow, malicious or the wrong server. Time and response size are limited,
 * and redirects are not followed.
 */

export type Called =
  | { readonly kind: 'answered'; readonly status: number; readonly bytes: Buffer }
  | { readonly kind: 'too-large' }
  /** `reason` is chosen here, for the log; it never contains text of the server. */
  | { readonly kind: 'failed'; readonly reason: string };

export interface Asking {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: Buffer | string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly maxBytes: number;
}

export type Call = (asking: Asking) => Promise<Called>;

const TIMEOUT_MS = 10_000;
/** Extra time per megabyte of the allowed response: a bundle takes longer on a slow line than a short answer does. */
const TIMEOUT_PER_MEGABYTE_MS = 10_000;

export function createCall(base: string, key: string, closing: AbortSignal): Call {
  const root = base.replace(/\/+$/, '');
  return async ({ method, path, body, headers = {}, maxBytes }) => {
    const timeout = AbortSignal.timeout(TIMEOUT_MS + (maxBytes / 1_048_576) * TIMEOUT_PER_MEGABYTE_MS);
    try {
      const response = await fetch(`${root}${path}`, {
        method,
        // Following a redirect would send the key to another host.
        redirect: 'error',
        signal: AbortSignal.any([closing, timeout]),
        headers: { Authorization: `Bearer ${key}`, 'Accept-Encoding': 'identity', ...headers },
        ...(body === undefined ? {} : { body }),
      });
      const bytes = await bounded(response, maxBytes);
      return bytes === null ? { kind: 'too-large' } : { kind: 'answered', status: response.status, bytes };
    } catch (error) {
      return { kind: 'failed', reason: timeout.aborted ? 'no answer in time' : reasonOf(error) };
    }
  };
}

async function bounded(response: Response, maxBytes: number): Promise<Buffer | null> {
  if (response.body === null) return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks, size);
    size += value.length;
    if (size > maxBytes) {
      await reader.cancel();
      return null;
    }
    chunks.push(value);
  }
}

/** Errors of `fetch` that have no code, by their message: without these the log would say "TypeError". */
const NAMELESS: Readonly<Record<string, string>> = {
  'unexpected redirect': 'it redirects: give the address that it redirects to',
  'bad port': 'the port of its address is one that no HTTP client calls',
};

/** Only the error's code. Its message may quote the address, which may contain credentials. */
function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: unknown; message?: unknown } };
  if (typeof cause?.code === 'string') return cause.code;
  const known = typeof cause?.message === 'string' ? NAMELESS[cause.message] : undefined;
  return known ?? (error instanceof Error ? error.name : 'unknown');
}
