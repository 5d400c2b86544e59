import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseAllDocuments, parse } from 'yaml';
import { loadConfig } from '../../src/config/load.ts';
import { startDemoUpstream } from '../../src/demo/upstream.ts';
import {
  answers,
  folder,
  freePort,
  MAIN,
  need,
  present,
  REPOSITORY,
  run,
  start,
  startProxy,
  until,
} from './processes.ts';

/** Kubernetes, systemd, compose and nginx, as far as each can be checked where it does not run. */

type Tree = Readonly<Record<string, unknown>>;

/** `spec.ports.0.name`: what stands there, or undefined. */
function at(from: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((tree, name) => (tree as Tree | undefined)?.[name], from);
}

const DEPLOY = join(REPOSITORY, 'deploy');
const read = (file: string): string => readFileSync(join(DEPLOY, file), 'utf8');

/** From SIGTERM to the last stream: what every supervisor has to wait for. */
const { config: defaults } = loadConfig({ file: join(REPOSITORY, 'src/config/default.yaml'), env: {} });
const DRAIN_SECONDS = (defaults!.server.shutdown_delay_ms + defaults!.server.shutdown_timeout_ms) / 1000;

test('the configuration in each deployment is valid', () => {
  for (const file of [
    'compose/config.yaml',
    'kubernetes/base/config.yaml',
    'kubernetes/overlays/production/config.yaml',
  ]) {
    const { problems, warnings, config } = loadConfig({ file: join(DEPLOY, file), env: {} });
    assert.deepEqual([problems, warnings], [[], []], file);
    assert.deepEqual(Object.keys(config!.upstreams), ['llm-a', 'llm-b'], file);
  }
});

test('what kustomize makes of the production overlay hangs together', (t) => {
  if (!present('kubectl')) {
    t.skip('kubectl is not installed, and the one in Debian is older than what kustomization.yaml is written for');
    return;
  }
  const { status, output } = run('kubectl', ['kustomize', join(DEPLOY, 'kubernetes/overlays/production')]);
  assert.equal(status, 0, output);
  const objects = parseAllDocuments(output).map((document) => document.toJS() as Tree);
  const one = (kind: string): Tree => {
    const found = objects.filter((object) => object['kind'] === kind);
    assert.equal(found.length, 1, kind);
    return found[0]!;
  };
  const [deployment, service, budget, policy] = ['Deployment', 'Service', 'PodDisruptionBudget', 'NetworkPolicy'].map(
    one,
  );
  const [scaler, map, namespace] = ['HorizontalPodAutoscaler', 'ConfigMap', 'Namespace'].map(one);
  const pod = at(deployment, 'spec.template');
  const container = at(pod, 'spec.containers.0');

  for (const object of objects) {
    const expected = object === namespace ? undefined : at(namespace, 'metadata.name');
    assert.equal(at(object, 'metadata.namespace'), expected, String(object['kind']));
  }
  for (const selector of [
    at(deployment, 'spec.selector.matchLabels'),
    at(service, 'spec.selector'),
    at(budget, 'spec.selector.matchLabels'),
    at(policy, 'spec.podSelector.matchLabels'),
    at(pod, 'spec.topologySpreadConstraints.0.labelSelector.matchLabels'),
  ]) {
    const labels = Object.entries(selector as Tree);
    assert.ok(labels.length > 0);
    for (const [name, value] of labels) assert.equal((at(pod, 'metadata.labels') as Tree)[name], value);
  }
  assert.equal(at(scaler, 'spec.scaleTargetRef.name'), at(deployment, 'metadata.name'));
  assert.equal(at(deployment, 'spec.replicas'), undefined, 'the number of instances belongs to the autoscaler');
  assert.equal(at(pod, 'spec.volumes.0.configMap.name'), at(map, 'metadata.name'));
  assert.match(String(at(map, 'metadata.name')), /^guard-config-\w{10}$/, 'a changed configuration rolls out');
  assert.match(String((map!['data'] as Tree)['config.yaml']), /failure_mode: closed/);

  assert.equal(at(container, 'ports.0.containerPort'), defaults!.server.port);
  assert.equal(at(service, 'spec.ports.0.targetPort'), at(container, 'ports.0.name'));
  assert.equal(at(policy, 'spec.ingress.0.ports.0.port'), defaults!.server.port);
  assert.equal(at(container, 'readinessProbe.httpGet.path'), '/readyz');
  const { httpGet, ...liveness } = at(container, 'livenessProbe') as Tree;
  assert.equal(at(httpGet, 'path'), '/healthz');
  assert.deepEqual(liveness, { periodSeconds: 30, timeoutSeconds: 5, failureThreshold: 2 });
  assert.ok(Number(at(pod, 'spec.terminationGracePeriodSeconds')) > DRAIN_SECONDS);
  const noticed =
    Number(at(container, 'readinessProbe.periodSeconds')) * Number(at(container, 'readinessProbe.failureThreshold'));
  assert.ok(noticed * 1000 < defaults!.server.shutdown_delay_ms, 'readiness is noticed while calls are still taken');
  assert.deepEqual(at(container, 'securityContext'), {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  assert.equal(at(pod, 'spec.securityContext.runAsNonRoot'), true);
  assert.equal(at(pod, 'spec.securityContext.runAsUser'), 65_532);
});

test('systemd accepts the unit, waits longer than a drain takes, and does not restart into a wrong configuration', () => {
  need('systemd-analyze');
  const unit = read('systemd/guard@.service');
  const files = folder();
  try {
    // It is checked that the programs exist, so an existing one stands in for those under /opt.
    files.write('guard@.service', unit.replaceAll('/opt/guard/node_modules/.bin/guard', '/bin/true'));
    const { status, output } = run('systemd-analyze', ['verify', '--man=no', join(files.path, 'guard@8081.service')]);
    assert.equal(status, 0, output);
    assert.doesNotMatch(output, /guard@/);
  } finally {
    files.remove();
  }
  assert.ok(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)![1]) > DRAIN_SECONDS);
  assert.match(unit, /^RestartPreventExitStatus=78$/m);
});

test('nginx accepts its configuration, and passes a stream on frame by frame with it', async (t) => {
  need('nginx');
  const files = folder();
  t.after(files.remove);
  const [front, first, second] = [await freePort(), await freePort(), await freePort()];
  const upstream = await startDemoUpstream({ anyKey: true, slowMs: 200 });
  t.after(upstream.close);
  const configuration = files.write(
    'guard.yaml',
    JSON.stringify({
      server: { host: '127.0.0.1', shutdown_delay_ms: 0 },
      upstreams: { 'llm-a': { url: upstream.url, wire: 'openai' } },
    }),
  );
  for (const port of [first, second]) t.after((await startProxy(configuration, port)).stop);
  const server = read('nginx/guard.conf')
    .replace('listen 8080', `listen 127.0.0.1:${front}`)
    .replace(':8081', `:${first}`)
    .replace(':8082', `:${second}`);
  files.write('guard.conf', server);
  const main = files.write(
    'nginx.conf',
    `daemon off; pid ${files.path}/pid; error_log stderr; events {} http { access_log off; ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((each) => `${each}_temp_path ${files.path}/${each};`).join(' ')} include ${files.path}/guard.conf; }`,
  );
  const nginx = start('nginx', ['-c', main]);
  t.after(async () => {
    // Its workers end with it only when it is asked to end.
    nginx.signal('SIGTERM');
    await nginx.exited;
  });
  await until('nginx', () => answers(`http://127.0.0.1:${front}/readyz`), { heard: nginx.output });
  const response = await fetch(`http://127.0.0.1:${front}/llm-a/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'demo-slow', stream: true, messages: [{ role: 'user', content: 'Hello' }] }),
  });
  assert.equal(response.status, 200);
  const arrivals: number[] = [];
  let text = '';
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    arrivals.push(performance.now());
    text += Buffer.from(chunk).toString();
  }
  assert.ok(text.endsWith('data: [DONE]\n\n'));
  assert.ok(arrivals.at(-1)! - arrivals[0]! > 200, 'frames arrive as they are sent, and not all at the end');
  const metrics = await fetch(`http://127.0.0.1:${front}/metrics`);
  assert.equal(metrics.status, 404);
  assert.doesNotMatch(await metrics.text(), /guard_/);
});

test('the parts of the composition fit: the demo is an upstream of the configured proxy, and its counters are found', async (t) => {
  need('redis-server');
  const compose = parse(read('compose/docker-compose.yaml'), { merge: true }) as { services: Record<string, Tree> };
  const { upstream } = compose.services as { upstream: Tree };
  const files = folder();
  t.after(files.remove);
  const [demoPort, port, counterPort] = [await freePort(), await freePort(), await freePort()];
  const options = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', files.path];
  t.after(start('redis-server', ['--port', String(counterPort), ...options]).stop);
  const demo = start(
    process.execPath,
    [MAIN, ...(upstream['command'] as string[]), '--port', String(demoPort)],
    upstream['environment'] as Record<string, string>,
  );
  t.after(demo.stop);
  const configuration = files.write(
    'config.yaml',
    read('compose/config.yaml')
      .replaceAll('upstream:8080', `127.0.0.1:${demoPort}`)
      .replace('counters:6379', `127.0.0.1:${counterPort}`),
  );
  await until('the demo', () => answers(`http://127.0.0.1:${demoPort}/readyz`), { heard: demo.output });
  const proxy = await startProxy(configuration, port);
  t.after(proxy.stop);
  for (const [path, body] of [
    ['/llm-a/v1/chat/completions', { model: 'demo', messages: [{ role: 'user', content: 'Hello' }] }],
    ['/llm-b/v1/messages', { model: 'demo', max_tokens: 10, messages: [{ role: 'user', content: 'Hello' }] }],
  ] as const) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
      body: JSON.stringify(body),
    });
    assert.equal(response.status, 200, `${path}: ${await response.text()}`);
  }
  await until('the counters to be found', () => proxy.output().includes('rate limit store connected'), {
    heard: proxy.output,
  });
});

test('the composition waits out a drain, and mounts only files that exist', () => {
  const { services } = parse(read('compose/docker-compose.yaml'), { merge: true }) as {
    services: Record<string, Tree>;
  };
  for (const name of ['guard-1', 'guard-2']) {
    const service = services[name]!;
    assert.ok(Number.parseInt(service['stop_grace_period'] as string, 10) > DRAIN_SECONDS);
    assert.deepEqual([service['read_only'], service['cap_drop']], [true, ['ALL']]);
  }
  for (const { volumes } of Object.values(services)) {
    for (const volume of (volumes ?? []) as string[]) {
      const source = join(DEPLOY, 'compose', volume.split(':')[0]!);
      assert.ok(existsSync(source), source);
    }
  }
  const scraped = at(parse(read('prometheus/prometheus.yml')), 'scrape_configs') as Tree[];
  const targets = scraped.flatMap((job) => at(job, 'static_configs.0.targets') as string[]);
  assert.ok(targets.length > 2);
  for (const target of targets) assert.ok(services[target.split(':')[0]!] !== undefined, target);
  const balanced = [...read('haproxy/haproxy.cfg').matchAll(/\$\{GUARD_\d-([\w-]+):8080\}/g)];
  assert.equal(balanced.length, 2);
  for (const [, name] of balanced) assert.ok(services[name!] !== undefined, name);
});
