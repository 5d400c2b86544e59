/** A whole control plane for one test: real sockets, an embedded database of its own, and keys to speak to it with. */
import { createHash } from 'node:crypto';
import { parseControlPlane } from '../../src/config/control-plane.ts';
import { startControlPlane, type ControlPlane } from '../../src/control-plane/server/start.ts';
import type { KeyPair } from './bundle.ts';
import { temporaryFolder } from './cli.ts';

export const KEYS = {
  admin: 'guard_admin-key-of-the-tests',
  fleet: 'guard_fleet-key-of-the-tests',
  other: 'guard_other-fleet-key-of-the-tests',
  check: 'guard_check-key-of-the-tests',
} as const;

export interface Plane {
  readonly url: string;
  readonly port: number;
  readonly plane: ControlPlane;
  logs(): string[];
  /** JSON in, JSON out. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  close(): Promise<void>;
}

export interface CallOptions {
  readonly key?: string | null;
  readonly json?: unknown;
  readonly body?: Buffer | string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // The tests know what they asked for.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any;
}

export async function startPlane(
  options: { readonly trusted?: readonly KeyPair[]; readonly config?: Readonly<Record<string, object>> } = {},
): Promise<Plane> {
  const lines: string[] = [];
  const folder = temporaryFolder();
  const hash = (key: string): string => createHash('sha256').update(key).digest('hex');
  const { config = {}, trusted = [] } = options;
  const typed = {
    server: { port: 0 },
    check: { enabled: false },
    trusted_keys: trusted.map(({ publicKey }) => publicKey),
    keys: [
      { id: 'admin', sha256: hash(KEYS.admin), scopes: ['admin'] },
      { id: 'fleet', sha256: hash(KEYS.fleet), scopes: ['fleet'] },
      { id: 'other', sha256: hash(KEYS.other), scopes: ['fleet'] },
      { id: 'check', sha256: hash(KEYS.check), scopes: ['check'] },
    ],
    ...config,
    storage: { folder: folder.path, ...config.storage },
  };
  const loaded = parseControlPlane(JSON.stringify(typed), 'defaults', {});
  if (loaded.config === null) throw new Error(loaded.problems.map((each) => each.path + each.message).join('\n'));
  const plane = await startControlPlane(loaded.config, { logTo: { write: (line: string) => void lines.push(line) } });
  const url = `http://127.0.0.1:${plane.address.port}`;
  return {
    url,
    port: plane.address.port,
    plane,
    logs: () => [...lines],
    async call(method, path, { key = KEYS.admin, json, body, headers = {} } = {}) {
      const response = await fetch(`${url}${path}`, {
        method,
        redirect: 'error',
        headers: { ...(key === null ? {} : { Authorization: `Bearer ${key}` }), ...headers },
        ...(json === undefined ? (body === undefined ? {} : { body }) : { body: JSON.stringify(json) }),
      });
      const text = await response.text();
      let parsed: unknown = null;
      try {
        parsed = JSON.parse(text);
      } catch {
        // A page or a bundle.
      }
      return { status: response.status, headers: response.headers, text, json: parsed };
    },
    async close() {
      await plane.close();
      folder.remove();
    },
  };
}
