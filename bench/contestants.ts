/** Who runs against whom. One row each: how it starts, where it expects the call, and whether it must catch an attack. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { onPath, startNative } from './native.ts';
import { startChild, type Child } from './process.ts';

export interface Contestant {
  readonly says: string;
  /** Before the path of the call. */
  readonly prefix: string;
  /** In whose manner it refuses an attack; null for one that reads nothing. */
  readonly scans: 'guard' | 'portkey' | null;
  /** What it must be sent beside the usual, to know where to go. */
  readonly headers?: (upstreamPort: number) => readonly (readonly [name: string, value: string])[];
  /** `meaning`: it writes bodies anew and adds to answers, and only the words must be the same. Else bytes. */
  readonly answer?: 'bytes' | 'meaning';
  /** Null when it can run here, else why not. */
  readonly missing: () => string | null;
  readonly start: (upstreamPort: number) => Promise<Child>;
}

const here = (): null => null;
const native = (name: 'nginx' | 'haproxy'): Contestant => ({
  says: `${name}, one worker`,
  prefix: '',
  scans: null,
  missing: () => (onPath(name) ? null : `${name} is not on the PATH`),
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
    missing: here,
    start: (upstreamPort) => startChild('contestants/plain-node.js', { upstreamPort }),
  },
  'bare-http-proxy': {
    says: 'http-proxy with a keep-alive agent',
    prefix: '',
    scans: null,
    missing: here,
    start: (upstreamPort) => startChild('contestants/bare-http-proxy.js', { upstreamPort }),
  },
  'guard-unscanned': guard('guard, scanner off', { scanner: { enabled: false } }, false),
  'guard-without-likeness': guard('guard, signatures only', { scanner: { likeness: false } }, true),
  'guard-scanned': guard('guard, default settings', {}, true),
  'guard-answers-too': guard('guard, answers scanned too', { scanner: { response: { enabled: true } } }, true),
} satisfies Record<string, Contestant>;

export type ContestantName = keyof typeof CONTESTANTS;

/** Everything is said as a ratio to this one. */
export const YARDSTICK: ContestantName = 'bare-http-proxy';
