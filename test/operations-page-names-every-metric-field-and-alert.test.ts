import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { openExchange } from '../src/domain/exchange.ts';
import { createLog } from '../src/observe/log.ts';
import { createMetrics } from '../src/observe/metrics.ts';

const read = (file: string): string => readFileSync(join(process.cwd(), file), 'utf8');
const page = read('docs/operations.md');
const section = (title: string, next: string): string => {
  const [from, to] = [page.indexOf(`\n${title}\n`), page.indexOf(`\n${next}\n`)];
  assert.ok(from !== -1 && to > from, title);
  return page.slice(from, to);
};
const rows = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split(' | ').map((cell) => cell.replaceAll(/^\| | ?\|$/g, '')));
const quoted = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map((match) => match[1]!);

test('the table of metrics names each metric that is ours, with its type and labels, and no other', async () => {
  const metrics = createMetrics(['llm-a'], { version: '1.2.3', node: 'v24.0.0' });
  const { text } = await metrics.page();
  metrics.close();
  const kinds = [...text.matchAll(/^# TYPE (guard_\w+) (\w+)$/gm)].map((match) => `${match[1]} ${match[2]}`).sort();
  const table = rows(section('### Metrics', '### Logs'));
  assert.deepEqual(table.map(([name, type]) => `${quoted(name!)[0]} ${type}`).sort(), kinds);

  const source = read('src/observe/metric-families.ts');
  for (const [name, , labels] of table) {
    const metric = quoted(name!)[0]!;
    const declared = new RegExp(`name: '${metric}',[^}]*?(?=registers)`).exec(source)?.[0] ?? '';
    assert.notEqual(declared, '', metric);
    const names = /labelNames: \[([^\]]*)\]/.exec(declared)?.[1] ?? '';
    assert.deepEqual(
      quoted(labels!),
      [...names.matchAll(/'(\w+)'/g)].map((match) => match[1]),
      metric,
    );
  }
});

test('the table of the exchange line names each of its fields, and no other', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line: string) => void lines.push(line) });
  const exchange = openExchange('id', 'trace', 'POST', 0);
  exchange.refusal = 'content_blocked';
  exchange.scanned = true;
  exchange.upstreamMs = 1;
  exchange.failOpen = 'crash';
  exchange.upstreamFault = 'unreachable';
  exchange.errorCode = 'ECONNREFUSED';
  exchange.retried = true;
  exchange.verdict = {
    action: 'block',
    category: 'jailbreak',
    signatureName: 'name',
    signatureId: 'id',
    confidence: 1,
  };
  exchange.shadow = { action: 'log', category: 'jailbreak' };
  log.exchange(exchange, '192.0.2.1', 1);
  const written = Object.keys(JSON.parse(lines[0]!) as object).filter(
    (name) => !['level', 'time', 'msg'].includes(name),
  );
  const [table] = section('### Logs', '## When something fails').split('Other lines');
  assert.deepEqual(
    rows(table!)
      .flatMap(([name]) => quoted(name!))
      .sort(),
    written.sort(),
  );
});

test('the table of other lines names each message that the program can log', () => {
  const sources = (readdirSync(join(process.cwd(), 'src'), { recursive: true }) as string[])
    .filter((name) => name.endsWith('.ts'))
    .map((name) => read(join('src', name)));
  const said = new Set<string>();
  for (const source of sources) {
    for (const call of source.matchAll(/\b(?:log\.event|events\.log)\(([^;]*)/g)) {
      for (const text of call[1]!.matchAll(/'([a-z][^']* [^']*|listening|draining|stopped)'/g)) said.add(text[1]!);
    }
  }
  const [, table] = section('### Logs', '## When something fails').split('Other lines');
  assert.deepEqual(
    rows(table!)
      .map(([message]) => quoted(message!)[0]!)
      .sort(),
    [...said].sort(),
  );
});

test('every alert has a runbook, a severity and a unit test, and every runbook an alert', () => {
  interface Rule {
    readonly alert: string;
    readonly labels: { readonly severity: string };
    readonly annotations: { readonly runbook: string };
  }
  const { groups } = parse(read('deploy/prometheus/alerts.yml')) as { groups: { rules: Rule[] }[] };
  const alerts = groups.flatMap(({ rules }) => rules);
  const tested = new Set(
    [...read('deploy/prometheus/alerts.test.yml').matchAll(/alertname: (\w+)/g)].map((match) => match[1]),
  );
  for (const { alert, labels, annotations } of alerts) {
    assert.equal(annotations.runbook, `docs/operations.md#${alert.toLowerCase()}`);
    assert.match(labels.severity, /^(page|ticket|info)$/);
    assert.ok(tested.has(alert), `${alert} has no unit test`);
  }
  const runbooks = [...page.matchAll(/^#### (\w+)$/gm)].map((match) => match[1]);
  assert.deepEqual(
    runbooks,
    alerts.map(({ alert }) => alert),
  );
});

test('the alerts and the dashboard ask for no metric that does not exist', async () => {
  const metrics = createMetrics(['llm-a'], { version: '1.2.3', node: 'v24.0.0' });
  const { text } = await metrics.page();
  metrics.close();
  const known = new Set([...text.matchAll(/^# TYPE (\w+) \w+$/gm)].map((match) => match[1]!));
  for (const file of ['deploy/prometheus/alerts.yml', 'deploy/grafana/guard.json']) {
    const asked = [...read(file).matchAll(/\b((?:guard|process|nodejs)_\w+)/g)].map((match) => match[1]!);
    assert.ok(asked.length > 10);
    assert.deepEqual(
      [...new Set(asked)].filter((name) => !known.has(name) && !known.has(name.replace(/_(bucket|sum|count)$/, ''))),
      [],
      file,
    );
  }
});

test('a rise from nothing is seen: what alerts and rates are asked of is there, at zero, before it happens', async () => {
  const metrics = createMetrics(['llm-a'], { version: '1.2.3', node: 'v24.0.0' });
  const { text } = await metrics.page();
  metrics.close();
  for (const series of [
    'guard_scans_total{scanner="pipeline",result="timeout"}',
    'guard_detections_total{category="jailbreak",action="block"}',
    'guard_refused_connections_total{reason="max_connections"}',
    'guard_worker_events_total{event="crash"}',
    'guard_worker_events_total{event="killed"}',
    'guard_worker_events_total{event="replaced"}',
  ])
    assert.ok(text.includes(`${series} 0\n`), series);
});

test('every link within the page leads somewhere', () => {
  const anchors = new Set(
    [...page.matchAll(/^#+ (.+)$/gm)].map((match) =>
      match[1]!
        .toLowerCase()
        .replaceAll(/[^a-z0-9 -]/g, '')
        .replaceAll(' ', '-'),
    ),
  );
  const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map((match) => match[1]!);
  assert.ok(links.length > 10);
  assert.deepEqual(
    links.filter((link) => !anchors.has(link)),
    [],
  );
});
