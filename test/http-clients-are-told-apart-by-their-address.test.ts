import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { startGuard, type Guard } from './helpers/guard.ts';

async function guardBehind(t: TestContext, proxies: readonly string[], points = 0): Promise<Guard> {
  const guard = await startGuard({
    config: {
      server: { trusted_proxies: proxies },
      scanner: { enabled: false },
      security: { failure_mode: 'open' },
      rate_limit: { check: { points, per_s: 600 } },
    },
  });
  t.after(() => guard.close());
  return guard;
}

let calls = 0;

/** Who guard takes the client for, and whether it is let in. */
async function callFor(guard: Guard, forwarded: string): Promise<{ readonly client: string; readonly status: number }> {
  calls += 1;
  const id = `call-${calls}`;
  const response = await fetch(`${guard.url}/check`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': forwarded, 'x-request-id': id },
    body: '{"text":"hello"}',
  });
  await response.arrayBuffer();
  for (;;) {
    const line = guard.logs().find((each) => each.includes(`"${id}"`));
    if (line !== undefined) return { ...(JSON.parse(line) as { client: string }), status: response.status };
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

test('a forwarded address is read with a port and in brackets, as some load balancers write it', async (t) => {
  const guard = await guardBehind(t, ['127.0.0.1', '10.0.0.0/8', 'fd00::/8']);
  for (const [forwarded, client] of [
    ['192.0.2.1', '192.0.2.1'],
    ['192.0.2.1:5678', '192.0.2.1'],
    ['2001:DB8::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['198.51.100.9, 192.0.2.1:5678, 10.0.0.7:80, [fd00::7]:80', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    // None of these is an address, so it is the peer who sent it.
    ['192.0.2.1:', '127.0.0.1'],
    ['192.0.2.1:http', '127.0.0.1'],
    ['[192.0.2.1', '127.0.0.1'],
    ['[]', '127.0.0.1'],
    ['unknown', '127.0.0.1'],
  ] as const)
    assert.equal((await callFor(guard, forwarded)).client, client, forwarded);
});

test('a trusted network of IPv4 may be written in IPv6', async (t) => {
  for (const network of ['::ffff:127.0.0.1', '::ffff:127.0.0.0/104', '::ffff:0:0/96']) {
    const guard = await guardBehind(t, [network, '10.0.0.1']);
    assert.equal((await callFor(guard, '192.0.2.1, 10.0.0.1')).client, '192.0.2.1', network);
  }
  const other = await guardBehind(t, ['::ffff:10.0.0.0/104']);
  assert.equal((await callFor(other, '192.0.2.1')).client, '127.0.0.1');
});

test('addresses of one IPv6 network are limited as one client, and logged each by itself', async (t) => {
  const guard = await guardBehind(t, ['127.0.0.1'], 3);
  const statuses: number[] = [];
  for (let i = 1; i <= 5; i += 1) {
    const address = `2001:db8:1:1:${i}::${i}`;
    const { client, status } = await callFor(guard, address);
    assert.equal(client, address);
    statuses.push(status);
  }
  assert.deepEqual(statuses, [200, 200, 200, 429, 429]);
  assert.equal((await callFor(guard, '2001:db8:1:2::1')).status, 200, 'another network');

  // In these a network of 64 bits is no single client.
  for (const apart of ['fd00::', '64:ff9b::192.0.2.', '192.0.2.'])
    for (let i = 1; i <= 5; i += 1) assert.equal((await callFor(guard, `${apart}${i}`)).status, 200, `${apart}${i}`);
});
