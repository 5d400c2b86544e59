/**
 * Scans one bomb through the pool, as a request would be. It runs in a process of its own, so that its memory usage
 * is not mixed with others.
 */
import { createPool } from '../src/scanner/pool.ts';
import { loadSignatures } from '../src/signatures/load.ts';
import { chatRequest } from './corpus.ts';
import { serveControl } from './child.ts';
import { BOMBS, type BombName } from './scan-bombs.ts';

export interface Burst {
  readonly cpuMs: number;
  readonly ms: number;
  /** The peak memory of the process, less what it used before. */
  readonly extraMb: number;
  readonly outcome: string;
}

const { name } = JSON.parse(process.argv[2]!) as { name: BombName };
const job = {
  wire: 'openai',
  direction: 'request',
  sensitive: true,
  path: '/v1/chat/completions',
  contentType: 'application/json',
} as const;

const { scanner, problems } = await createPool(
  loadSignatures().signatures,
  { threads: 1, timeoutMs: 30_000 },
  { worker: () => {}, log: () => {} },
);
if (problems.length > 0) throw new Error('the signatures are not sound');
const { bytes, coding } = BOMBS[name].make();
// First some ordinary traffic, as a thread in service would have scanned.
for (let i = 0; i < 300; i += 1) await scanner.scan({ ...job, bytes: chatRequest(2048, i + 1), contentEncoding: '' });

serveControl(
  0,
  () => scanner.close(),
  async (): Promise<Burst> => {
    const rss = process.memoryUsage.rss();
    const startedAt = performance.now();
    const before = process.cpuUsage();
    const peak = watchMemory();
    const outcome = await scanner.scan({ ...job, bytes, contentEncoding: coding });
    const { user, system } = process.cpuUsage(before);
    const said = outcome.kind === 'unreadable' ? outcome.reason : outcome.kind === 'report' ? 'scanned' : outcome.kind;
    return {
      cpuMs: (user + system) / 1000,
      ms: performance.now() - startedAt,
      extraMb: Math.max(0, peak() - rss) / 2 ** 20,
      outcome: said,
    };
  },
);

/**
 * Samples the memory every few milliseconds. The kernel's peak value never decreases, and memory was higher during
 * the start.
 */
function watchMemory(): () => number {
  let most = 0;
  const look = (): void => {
    most = Math.max(most, process.memoryUsage.rss());
  };
  const timer = setInterval(look, 2);
  return () => {
    clearInterval(timer);
    look();
    return most;
  };
}
