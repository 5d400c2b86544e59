import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startDemoUpstream, type DemoUpstream } from '../../src/demo/upstream.ts';
import {
  answers,
  folder,
  freePort,
  need,
  REPOSITORY,
  run,
  start,
  startProxy,
  until,
  type Program,
} from './processes.ts';

/** A real Prometheus scrapes a real proxy; then every rule and every panel is asked of it. */

const PROMETHEUS = join(REPOSITORY, 'deploy/prometheus');
const files = folder();
let upstream: DemoUpstream;
let proxy: Program;
let prometheus: Program;
let base: string;
let queries: string;

before(async () => {
  need('prometheus', 'promtool');
  upstream = await startDemoUpstream({ anyKey: true });
  const configuration = files.write(
    'guard.yaml',
    JSON.stringify({
      server: { host: '127.0.0.1', shutdown_delay_ms: 0 },
      upstreams: { 'llm-a': { url: upstream.url, wire: 'openai' }, gone: { url: 'http://127.0.0.1:9' } },
      scanner: { threads: 1 },
      rate_limit: { check: { points: 3 } },
      policy: { shadow: { sensitivity: 1 } },
    }),
  );
  const [port, prometheusPort] = [await freePort(), await freePort()];
  base = `http://127.0.0.1:${port}`;
  queries = `http://127.0.0.1:${prometheusPort}`;
  proxy = await startProxy(configuration, port);
  const scrape = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [join(PROMETHEUS, 'alerts.yml')],
    scrape_configs: [{ job_name: 'guard', static_configs: [{ targets: [`127.0.0.1:${port}`] }] }],
  };
  prometheus = start('prometheus', [
    `--config.file=${files.write('prometheus.yml', JSON.stringify(scrape))}`,
    `--storage.tsdb.path=${join(files.path, 'data')}`,
    `--web.listen-address=127.0.0.1:${prometheusPort}`,
  ]);
  await until('Prometheus', () => answers(`${queries}/-/ready`), { heard: prometheus.output });
  await traffic();
  await until('two scrapes', async () => Number(await one('count_over_time(up{job="guard"}[1m])')) >= 3);
  await traffic();
  await until('two more', async () => Number(await one('count_over_time(up{job="guard"}[1m])')) >= 6);
});

after(async () => {
  await Promise.all([prometheus?.stop(), proxy?.stop()]);
  await upstream?.close();
  files.remove();
});

test('promtool has nothing to say against the page of a proxy that has seen traffic', async () => {
  const page = await (await fetch(`${base}/metrics`)).text();
  assert.match(page, /guard_requests_total\{[^}]*status="200"/);
  assert.match(page, /guard_upstream_faults_total\{upstream="gone"/);
  const { status, output } = run('promtool', ['check', 'metrics'], { input: page });
  assert.equal(status, 0, output);
  assert.equal(output.trim(), '');
});

test('promtool accepts the scrape configuration and the rules, and every alert behaves as its unit tests say', () => {
  for (const args of [
    ['check', 'config', 'prometheus.yml'],
    ['check', 'rules', 'alerts.yml'],
    ['test', 'rules', 'alerts.test.yml'],
  ]) {
    const { status, output } = run('promtool', args, { cwd: PROMETHEUS });
    assert.equal(status, 0, output);
  }
});

test('every alert evaluates on a live scrape, and a healthy proxy fires none that wakes somebody', async () => {
  const { data } = (await ask('/api/v1/rules?type=alert')) as {
    data: {
      groups: {
        rules: { name: string; health: string; lastError?: string; state: string; labels: { severity: string } }[];
      }[];
    };
  };
  const rules = data.groups.flatMap((group) => group.rules);
  assert.ok(rules.length > 10);
  assert.deepEqual(
    rules.filter(({ health }) => health !== 'ok').map(({ name, lastError }) => `${name}: ${lastError}`),
    [],
  );
  const firing = rules
    .filter(({ state, labels }) => state === 'firing' && labels.severity === 'page')
    .map(({ name }) => name);
  assert.deepEqual(firing, []);
});

test('every query of the dashboard is answered, and by figures wherever the traffic made some', async () => {
  const dashboard = JSON.parse(readFileSync(join(REPOSITORY, 'deploy/grafana/guard.json'), 'utf8')) as Dashboard;
  const asked = [
    ...dashboard.panels.flatMap(({ title, targets }) => (targets ?? []).map(({ expr }) => ({ title, expr }))),
    ...dashboard.annotations.list.map(({ name, expr }) => ({ title: `annotation ${name}`, expr })),
  ];
  assert.ok(asked.length > 30);
  const empty: string[] = [];
  for (const { title, expr } of asked) {
    const plain = expr
      .replaceAll('$__rate_interval', '1m')
      .replaceAll('$__range', '1m')
      .replaceAll(/\$(instance|upstream)/g, '.*');
    assert.doesNotMatch(plain, /\$/, `${title}: a variable that nothing defines`);
    const { status, data } = (await ask(`/api/v1/query?query=${encodeURIComponent(plain)}`)) as QueryAnswer;
    assert.equal(status, 'success', `${title}: ${expr}`);
    if (data.result.length === 0 && !title.startsWith('annotation')) empty.push(title);
  }
  // Nothing of the kind has happened in this test; all other panels show something.
  const quiet = new Set([
    'What the shadow policy would have done',
    'Refused as unreadable',
    'Threads that crashed, were killed, or pools replaced',
    'Passed unscanned, by reason',
    'Responses that ended early, by the side that ended them',
    // Its first half shows something, its second has nothing to show.
    'Rate limited and refused connections',
  ]);
  assert.deepEqual(
    [...new Set(empty)].filter((title) => !quiet.has(title)),
    [],
  );
});

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets?: readonly { readonly expr: string }[] }[];
  readonly annotations: { readonly list: readonly { readonly name: string; readonly expr: string }[] };
}

interface QueryAnswer {
  readonly status: string;
  readonly data: { readonly result: readonly { readonly value: readonly [number, string] }[] };
}

async function ask(path: string): Promise<unknown> {
  return (await fetch(`${queries}${path}`)).json();
}

async function one(query: string): Promise<string | undefined> {
  const { data } = (await ask(`/api/v1/query?query=${encodeURIComponent(query)}`)) as QueryAnswer;
  return data.result[0]?.value[1];
}

function post(path: string, body: unknown): Promise<Response> {
  return fetch(`${base}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

async function traffic(): Promise<void> {
  const messages = [{ role: 'user', content: 'What is the capital of France?' }];
  for (let i = 0; i < 5; i++) {
    await (await post('/llm-a/v1/chat/completions', { model: 'demo', messages })).text();
    await (await post('/llm-a/v1/chat/completions', { model: 'demo', stream: true, messages })).text();
    await (await post('/check', { text: 'hello' })).text();
    await (await post('/gone/v1/chat/completions', { model: 'demo', messages })).text();
  }
}
