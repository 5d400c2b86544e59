import assert from 'node:assert/strict';
import * as http from 'node:http';
import { after, before, describe, it } from 'node:test';
import { BLOCKING_EVERY_ROLE, CODINGS, FIELDS, startRange, type Range } from './helpers/coverage.ts';
import { runBodies, runMatrix, runRoles, runUnread, sampledCells } from './helpers/coverage-matrix.ts';

/** Where a mark or the label disagrees with the bytes, both ways to read them are scanned, which can cost the whole budget. */
const MAY_BE_REFUSED: ReadonlySet<string> = new Set(['zstd', 'UTF-16LE', 'UTF-16BE', 'UTF-32LE']);

/** docs/coverage.md shows the whole matrix; this is a twelfth of it. */
describe('an attack anywhere in a request is refused before the upstream sees anything', () => {
  let range: Range;
  before(async () => {
    range = await startRange(BLOCKING_EVERY_ROLE);
  });
  after(() => range.close());

  it('in every field of every endpoint, in every coding, under every label', async () => {
    assert.ok(FIELDS.length >= 562 && CODINGS.length >= 15, 'the table of fields or codings has shrunk');
    const cells = sampledCells();
    const { counts, holes } = await runMatrix(range, cells);
    assert.deepEqual(holes, []);
    assert.equal(range.reached(), 0);
    let seen = 0;
    for (const [coding, labels] of counts)
      for (const [label, { blocked, refused }] of labels) {
        seen += blocked + refused;
        assert.ok(blocked + refused > 0, `nothing was sent in ${coding} as ${label}`);
        if (!MAY_BE_REFUSED.has(coding)) assert.equal(refused, 0, `not read in ${coding} as ${label}`);
      }
    assert.equal(seen, cells.length);
  });

  it('in forms, files, lines, plain text, broken JSON, halves and bodies of every method', async () => {
    const leaking = (await runBodies(range)).filter(({ endings }) => endings.some((ending) => ending !== 'blocked'));
    assert.deepEqual(leaking, []);
    assert.equal(range.reached(), 0);
  });

  it('and a WebSocket, whose frames nobody reads, is not opened', async () => {
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': Buffer.alloc(16).toString('base64'),
    };
    const status = await new Promise<number | undefined>((resolve, reject) => {
      http
        .get({ host: '127.0.0.1', port: range.guard.port, path: '/openai/v1/responses', headers }, (response) => {
          response.resume().on('end', () => resolve(response.statusCode));
        })
        .on('upgrade', () => resolve(101))
        .on('error', reject);
    });
    assert.equal(status, 426);
    assert.equal(range.reached(), 0);
  });
});

describe('the policy that guard ships with', () => {
  let range: Range;
  before(async () => {
    range = await startRange({});
  });
  after(() => range.close());

  it('blocks what users, tools, documents and unknown writers say, and warns about the rest', async () => {
    const decided = new Map((await runRoles(range)).map(({ role, fields, actions }) => [role, { fields, actions }]));
    assert.equal(decided.size, 8);
    const warned: ReadonlySet<string> = new Set(['system', 'developer', 'assistant', 'tool_definition']);
    for (const [role, { fields, actions }] of decided)
      assert.deepEqual(actions, warned.has(role) ? { warn: fields } : { block: fields }, role);
  });

  it('says of text that it cannot read that it was not scanned', async () => {
    const runs = (await runUnread(range)).map(({ name, ending, scanned }) => [name, `${ending} ${scanned}`]);
    assert.deepEqual(Object.fromEntries(runs), {
      'a prompt of token ids': 'forwarded false',
      'the state of an earlier call, as token ids': 'forwarded false',
      'a PDF': 'forwarded false',
      'an archive or office document': 'forwarded false',
      'an image': 'forwarded true',
      audio: 'forwarded true',
      'an image that the upstream fetches': 'forwarded true',
      'a file uploaded earlier': 'forwarded true',
      'the state of an earlier response': 'forwarded true',
    });
  });
});
