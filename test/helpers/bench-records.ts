/** Records of runs that never were: one of each part, with figures that are easy to check. */
import type { Records } from '../../bench/records.ts';

export const HOSTILE = `<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>`;

const spread = (median: number) => ({ median, min: median * 0.9, max: median * 1.1 });
const machine = { cpu: `Made up ${HOSTILE}`, cores: 2, memoryGb: 4, kernel: '6', node: 'v20.0.0', load: 0.1 };
const fit = { intercept: 1, slope: 1, r2: 1, worst: 0 };
const latency = {
  p50: spread(1),
  p99: spread(2),
  p999: spread(3),
  late: spread(0.1),
  curve: [1, 50, 90, 99, 99.9].map((percent, i) => ({ percent, ms: i + 0.5 })),
};

/** `ratio`: of a scanned call to the yardstick. */
export function madeRecords(ratio = 1.6): Records {
  const row = (name: string, cpu: number, share: number) => ({
    name,
    says: name,
    cpu: spread(cpu),
    ratio: spread(share),
    main: spread(cpu / 2),
    perSecond: spread(5000),
    rssMb: 60,
    latency,
    added: { p50: spread(0.2), p99: spread(1) },
  });
  const race = { settings: {}, left_out: [`${HOSTILE}: not here`], direct: latency, pairs: {} };
  const rows = [
    row('bare-http-proxy', 100, 1),
    row('guard-without-likeness', 140, 1.4),
    row('guard-scanned', 100 * ratio, ratio),
    row(HOSTILE, 50, 0.5),
  ];
  const peers = [...rows, row('portkey-guardrail', 1600, 16)];
  const pairs = { 'guard-scanned / portkey-guardrail': spread(0.1) };
  const names = ['bare-http-proxy', 'guard-scanned'];
  const each = (value: number) => Object.fromEntries(names.map((name) => [name, spread(value)]));
  const fits = Object.fromEntries(names.map((name) => [name, fit]));
  const scale = {
    settings: {},
    sizes: {
      rows: [200, 2048, 8_388_608].map((bytes) => ({ bytes, calls: 4, cpu: each(100 + bytes), ratio: each(1.2) })),
      fits,
    },
    concurrency: {
      rows: [1, 16, 256].map((connections) => ({
        connections,
        perSecond: each(connections * 10),
        cpu: each(100),
        shed: each(0),
      })),
      fits,
    },
    signatures: {
      rows: [100, 200].map((signatures) => ({
        loaded: 'all',
        signatures,
        atoms: 3,
        compileMs: 1,
        scan: spread(signatures),
        ofAll: spread(0.5),
      })),
      fit,
    },
    history: {
      messages: 200,
      rows: ['one message', 'history, remembered', 'history, new every time'].map((name, i) => ({
        name,
        messages: 1,
        bytes: 1,
        cpu: each(100 * (i + 1)),
        ofOne: each(1 + i * 0.9),
      })),
    },
    memory: null,
    start: { ms: spread(900) },
  };
  const scan = {
    benign: [
      {
        text: 'prose',
        size: 20_480,
        asks: [],
        contestants: { scan: { mbPerSecond: spread(160), ofBareSet: spread(0.4) } },
      },
    ],
    hostile: { [HOSTILE]: { mbPerSecond: 9 } },
    bombs: { one: { bytes: '1', cpuMs: spread(50), extraMb: spread(10), outcomes: [] } },
  };
  const stream = {
    rows: ['guard-passthrough', 'guard-buffered'].map((name) => ({ name, cpu: spread(10), ratio: spread(1.2) })),
    memory: { streams: 1000, before: 80, mb: [200, 210, 205] },
  };
  const record = (part: string, results: object) => ({ part, at: '2026-11-21T10:00:00.000Z', machine, results });
  return {
    proxy: record('proxy', { ...race, rows }),
    peers: record('peers', { ...race, rows: peers, pairs }),
    scale: record('scale', scale),
    scan: record('scan', scan),
    stream: record('stream', stream),
  } as unknown as Records;
}
