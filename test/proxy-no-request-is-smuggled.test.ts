/**
 * Every way we know to make two parsers disagree, against a strict recorder on reused connections: it must see exactly
 * the requests that were answered by it, byte for byte, and the next honest call must get its own answer.
 */
import assert from 'node:assert/strict';
import test from 'node:test';
import { bitsOf } from '../src/http/head-fault.ts';
import { FRAMING_ATTACKS, type Attack } from './fixtures/framing-attacks.ts';
import { HEAD_ATTACKS } from './fixtures/head-attacks.ts';
import { startGuard } from './helpers/guard.ts';
import { ask, openClient, post } from './helpers/raw-client.ts';
import { startRecorder, type Recorded } from './helpers/recorder.ts';
import { assertRefusal } from './helpers/refusals.ts';

const ATTACKS: readonly Attack[] = [...FRAMING_ATTACKS, ...HEAD_ATTACKS];

const said = ({ method, target, body }: Recorded): string => `${method} ${target} ${body.toString('latin1')}`;

test('at least a hundred raw attacks are told apart by name', () => {
  const names = ATTACKS.map(({ name }) => name);
  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  );
  assert.ok(names.length >= 100, String(names.length));
});

test('a header that may occur only once is known whatever the length of its name', () => {
  const names = ['te', 'host', 'cookie', 'x-api-key', 'x-goog-api-key', 'anthropic-dangerous-direct-browser-access'];
  const bitOf = bitsOf(new Set(names));
  assert.equal(new Set(names.map(bitOf)).size, names.length);
  for (const name of names) {
    assert.notEqual(bitOf(name), 0, name);
    assert.equal(bitOf(name.toUpperCase()), bitOf(name));
    assert.equal(bitOf(`${name}s`), 0);
  }
});

test('no attack reaches the upstream as anything but what was judged, and the next honest call is served', async (t) => {
  const upstream = await startRecorder((request) => ({ body: said(request) }));
  t.after(() => upstream.close());
  const guard = await startGuard({
    upstreams: { 'llm-a': { url: upstream.url } },
    config: { scanner: { enabled: false }, security: { max_request_bytes: 65_536 } },
  });
  t.after(() => guard.close());
  let honest = 0;

  for (const attack of ATTACKS) {
    const { name, send } = attack;
    await t.test(name, async () => {
      const before = upstream.requests.length;
      const client = await openClient(guard.port);
      client.say(send);
      const silent = attack.answers.length === 0;
      await client.until(
        () =>
          client.answers().filter(({ complete }) => complete).length >= attack.answers.length &&
          (!silent || client.closed !== null),
      );

      // By the time an honest call made afterwards is answered, anything smuggled has arrived and been answered, too.
      honest += 1;
      const mark = `honest ${honest}`;
      const served = await ask(guard.port, post('/llm-a/honest', mark));
      assert.equal(served.status, 200);
      assert.equal(served.body.toString(), `POST /honest ${mark}`, 'the next call gets its own answer');

      const heard = client.answers();
      const otherwise = attack.or !== undefined && heard[0]?.status === attack.or.answers[0];
      const { answers, reaches = [], refusals = [] } = otherwise ? attack.or! : attack;
      assert.deepEqual(
        heard.map(({ status }) => status),
        answers,
        client.bytes.toString('latin1'),
      );
      const own = heard.filter(({ status }) => status >= 400);
      assert.equal(own.length, refusals.length);
      for (const [index, type] of refusals.entries()) assertRefusal(own[index], own[index]!.status, type, name);
      client.leave();

      const seen = upstream.requests.slice(before).map(said);
      assert.deepEqual(seen, [...reaches, `POST /honest ${mark}`]);
      assert.deepEqual(upstream.violations, []);
      for (const { pending } of upstream.connections) assert.equal(pending.length, 0, 'no bytes are left over');
      for (const each of upstream.requests.slice(before)) {
        for (const hop of [
          'expect',
          'te',
          'trailer',
          'upgrade',
          'http2-settings',
          'transfer-encoding',
          'x-http-method-override',
          'x-http-method',
          'x-method-override',
        ]) {
          assert.deepEqual(each.values(hop), [], hop);
        }
      }
    });
  }
  assert.equal(guard.service.inFlight(), 0);
});
