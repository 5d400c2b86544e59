/**
 * The cost of a fleet for its control plane: instances that send a heartbeat every 30 seconds and batches of events,
 * as proxies do, to one server on the PostgreSQL named by GUARD_BENCH_POSTGRES. CPU and memory are those of the
 * server only.
 */
import { createHash, randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { startChild, type Child } from './process.ts';

export interface FleetSettings {
  /** Events per second of all instances together. */
  readonly rate: number;
  readonly seconds: number;
}

export const FLEET_DEFAULTS: FleetSettings = { rate: 1000, seconds: 40 };

export interface FleetResult {
  readonly instances: number;
  readonly heartbeatsPerS: number;
  readonly eventsPerS: number;
  /** As a fraction of one core. */
  readonly cpu: number;
  readonly microsecondsPerCall: number;
  readonly rssMb: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly failed: number;
}

const FLEETS = [100, 1000, 10_000];
const HEARTBEAT_MS = 30_000;
/** Rows per batch: what an instance with some traffic counts between two heartbeats. */
const ROWS = 3;
const KEY = 'guard_key-of-the-bench';
const TICK_MS = 20;

export async function benchFleet({ rate, seconds }: FleetSettings): Promise<FleetResult[] | null> {
  const url = process.env.GUARD_BENCH_POSTGRES ?? '';
  if (url === '') return null;
  const results: FleetResult[] = [];
  for (const instances of FLEETS) {
    const plane = await startChild('contestants/control-plane.js', {
      config: {
        server: { port: 0 },
        storage: { url },
        check: { enabled: false },
        keys: [
          { id: 'fleet', sha256: createHash('sha256').update(KEY).digest('hex'), scopes: ['fleet'] },
          { id: 'admin', sha256: '0'.repeat(64), scopes: ['admin'] },
        ],
      },
    });
    try {
      results.push(await measure(plane, instances, rate, seconds));
    } finally {
      await plane.close();
    }
  }
  return results;
}

async function measure(plane: Child, instances: number, rate: number, seconds: number): Promise<FleetResult> {
  // Events have their own connections, so that the heartbeat of one instance does not wait for the events of another.
  const [forBeats, forEvents] = [
    new Agent({ keepAlive: true, maxSockets: 100 }),
    new Agent({ keepAlive: true, maxSockets: 100 }),
  ];
  const call = (agent: Agent, path: string, body: Buffer, headers: Record<string, string> = {}) =>
    post(agent, plane.port, path, body, headers);
  const ids: string[] = [];
  const registration = Buffer.from('{"name":"bench","version":"0.1.0"}');
  while (ids.length < instances) {
    const many = Array.from({ length: Math.min(50, instances - ids.length) }, () =>
      call(forBeats, '/v1/instances', registration),
    );
    for (const { text } of await Promise.all(many)) ids.push((JSON.parse(text) as { instance_id: string }).instance_id);
  }
  const beat = Buffer.from(
    '{"version":"0.1.0","bundle_version":0,"policy_etag":null,"signatures":300,"refused":null,"requests":100,"blocked":1,"dropped":0}',
  );
  const hour = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000).toISOString();
  const row = (n: number) => ({
    hour,
    upstream: `llm-${n}`,
    category: 'jailbreak',
    action: 'block',
    signature: `Name ${n}`,
    shadow: false,
    count: 1,
  });
  const batch = gzipSync(JSON.stringify({ detections: Array.from({ length: ROWS }, (_, n) => row(n)), latencies: [] }));

  const under = new Set<Promise<void>>();
  const watch = (answer: Promise<void>): void => {
    under.add(answer);
    void answer.finally(() => under.delete(answer));
  };
  const waits: number[] = [];
  let [beats, batches, failed, rss, at] = [0, 0, 0, 0, 0];
  const before = await plane.usage();
  const since = performance.now();
  for (let now = 0; now < seconds * 1000; now = performance.now() - since) {
    for (; beats < (now * instances) / HEARTBEAT_MS; beats += 1) {
      const sent = performance.now();
      const answer = call(forBeats, `/v1/instances/${ids[at++ % instances]!}/heartbeat`, beat);
      watch(
        answer.then(
          ({ status }) => void (status === 200 ? waits.push(performance.now() - sent) : (failed += 1)),
          () => void (failed += 1),
        ),
      );
    }
    for (; batches < (now * rate) / ROWS / 1000; batches += 1) {
      const headers = { 'Content-Encoding': 'gzip', 'Idempotency-Key': randomUUID() };
      const answer = call(forEvents, `/v1/instances/${ids[at++ % instances]!}/events`, batch, headers);
      watch(
        answer.then(
          ({ status }) => void (failed += status === 202 ? 0 : 1),
          () => void (failed += 1),
        ),
      );
    }
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
    if (beats % 50 === 0) rss = Math.max(rss, (await plane.usage()).rss);
  }
  const [after, wall] = [await plane.usage(), (performance.now() - since) / 1000];
  const cpu = (after.user + after.system - before.user - before.system) / 1e6;
  await Promise.all(under);
  for (const agent of [forBeats, forEvents]) agent.destroy();
  waits.sort((a, b) => a - b);
  return {
    instances,
    heartbeatsPerS: beats / wall,
    eventsPerS: (batches * ROWS) / wall,
    cpu: cpu / wall,
    microsecondsPerCall: (cpu * 1e6) / (beats + batches),
    rssMb: Math.max(rss, after.rss) / 1_048_576,
    p50Ms: waits[Math.floor(waits.length * 0.5)] ?? 0,
    p99Ms: waits[Math.floor(waits.length * 0.99)] ?? 0,
    failed,
  };
}

function post(
  agent: Agent,
  port: number,
  path: string,
  body: Buffer,
  headers: Readonly<Record<string, string>>,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const all = { ...headers, Authorization: `Bearer ${KEY}`, 'Content-Length': body.length };
    const sent = request({ host: '127.0.0.1', port, path, method: 'POST', agent, headers: all }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

export function fleetTable(results: readonly FleetResult[]): string {
  return [
    '| instances | heartbeats/s | events/s | of one core | us per call | memory | heartbeat p50 / p99 | failed |',
    '|---|---|---|---|---|---|---|---|',
    ...results.map(
      (one) =>
        `| ${one.instances} | ${one.heartbeatsPerS.toFixed(0)} | ${one.eventsPerS.toFixed(0)} | ${(one.cpu * 100).toFixed(0)} % | ` +
        `${one.microsecondsPerCall.toFixed(0)} | ${one.rssMb.toFixed(0)} MB | ${one.p50Ms.toFixed(1)} / ${one.p99Ms.toFixed(1)} ms | ${one.failed} |`,
    ),
  ].join('\n');
}
