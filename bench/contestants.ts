/** The contestants. For each: how it starts, where it expects calls, and whether it must block an attack. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isOnPath, startNative } from './native.ts';
import { startChild, type Child } from './process.ts';

export interface Contestant {
  readonly says: string;
  /** The prefix of the path of a call. */
  readonly prefix: string;
  /** Whose status it uses to block an attack; null if it does not scan. */
  readonly scans: 'guard' | 'portkey' | null;
  /** Extra headers that it needs to find the upstream. */
  readonly headers?: (upstreamPort: number) => readonly (readonly [name: string, value: string])[];
  /**
   * `bytes`: it passes bodies on unchanged. `meaning`: it re-serializes them and adds to answers, so only the
   * messages are compared.
   */
  readonly answer?: 'bytes' | 'meaning';
  /** Null when it can run here, else the reason why not. */
  readonly missing: () => string | null;
  readonly start: (upstreamPort: number) => Promise<Child>;
}

const alwaysAvailable = (): null => null;
const native = (name: 'nginx' | 'haproxy'): Contestant => ({
  says: `${name}, one worker`,
  prefix: '',
  scans: null,
  missing: () => (isOnPath(name) ? null : `${name} is not on the PATH`),
  start: (upstreamPort) => startNative(name, upstreamPort),
});
const guard = (says: string, config: object, scans: boolean): Contestant => ({
  says,
  prefix: '/llm-a',
  scans: scans ? 'guard' : null,
  missing: () =>
    !scans || existsSync(fileURLToPath(new URL('../workers/scan.js', import.meta.url)))
      ? null
      : 'no scanner worker in this build',
  start: (upstreamPort) => startChild('contestants/guard.js', { upstreamPort, config }),
});

export const CONTESTANTS = {
  nginx: native('nginx'),
  haproxy: native('haproxy'),
  'plain-node': {
    says: 'node:http by hand',
    prefix: '',
    scans: null,
    missing: alwaysAvailable,
    start: (upstreamPort) => startChild('contestants/plain-node.js', { upstreamPort }),
  },
  'bare-http-proxy': {
    says: 'http-proxy with a keep-alive agent',
    prefix: '',
    scans: null,
    missing: alwaysAvailable,
    start: (upstreamPort) => startChild('contestants/bare-http-proxy.js', { upstreamPort }),
  },
  'guard-unscanned': guard('guard, scanner off', { scanner: { enabled: false } }, false),
  'guard-without-likeness': guard('guard, signatures only', { scanner: { likeness: false } }, true),
  'guard-scanned': guard('guard, default settings', {}, true),
  'guard-answers-too': guard('guard, answers scanned too', { scanner: { response: { enabled: true } } }, true),
} satisfies Record<string, Contestant>;

export type ContestantName = keyof typeof CONTESTANTS;

/** The contestant that all ratios are relative to. */
export const YARDSTICK: ContestantName = 'bare-http-proxy';
