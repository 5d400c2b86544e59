import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Finding } from '../src/domain/finding.ts';
import { decide, type Policy, type ScanContext } from '../src/domain/policy.ts';
import { combinedScore } from '../src/domain/score.ts';
import { configOf } from './helpers/guard.ts';

const scene: ScanContext = {
  direction: 'request',
  upstream: 'llm-a',
  path: '/v1/chat/completions',
  client: () => '10.0.0.9',
  now: Date.UTC(2026, 10, 21),
};

function finding(over: Partial<Finding> = {}): Finding {
  return {
    signature: 'override-1',
    name: 'Instruction override',
    category: 'prompt-injection',
    confidence: 0.9,
    role: 'user',
    where: 'messages[0].content',
    via: [],
    ...over,
  };
}

function policy(typed: Record<string, unknown> = {}): Policy {
  const upstreams = { 'llm-a': { url: 'http://127.0.0.1:1' }, 'llm-b': { url: 'http://127.0.0.1:2' } };
  return configOf({ upstreams, config: { policy: typed } }).policy;
}

test('no finding allows, with nulls and a confidence of zero', () => {
  assert.deepEqual(decide(policy(), [], scene), {
    action: 'allow',
    category: null,
    signatureName: null,
    signatureId: null,
    confidence: 0,
  });
});

test('a strong finding in user text blocks by default', () => {
  assert.deepEqual(decide(policy(), [finding()], scene), {
    action: 'block',
    category: 'prompt-injection',
    signatureName: 'Instruction override',
    signatureId: finding().signature,
    confidence: 0.9,
  });
});

test('one weak finding never blocks, three distinct weak ones do', () => {
  const weak = (id: string) => finding({ signature: id, confidence: 0.3 });
  assert.equal(decide(policy(), [weak('a')], scene).action, 'allow');
  assert.equal(decide(policy(), [weak('a'), weak('a'), weak('a')], scene).action, 'allow', 'one signature counts once');
  assert.equal(decide(policy(), [weak('a'), weak('b'), weak('c')], scene).action, 'block');
});

test('scores combine as one minus the product of what is spared', () => {
  const both = combinedScore([
    finding({ signature: 'a', confidence: 0.5 }),
    finding({ signature: 'b', confidence: 0.5 }),
  ]);
  assert.equal(both.score, 0.75);
});

test('a score exactly at the threshold counts', () => {
  assert.equal(decide(policy({ sensitivity: 0.5 }), [finding({ confidence: 0.5 })], scene).action, 'block');
  assert.equal(decide(policy({ sensitivity: 0.5 }), [finding({ confidence: 0.4999 })], scene).action, 'allow');
});

test('a sensitivity of a category overrides the general one', () => {
  const strict = policy({ sensitivity: 0.1, categories: { 'prompt-injection': { sensitivity: 0.9 } } });
  assert.equal(decide(strict, [finding({ confidence: 0.2 })], scene).action, 'block');
});

test('text of the system role is at most warned about', () => {
  assert.equal(decide(policy(), [finding({ role: 'system' })], scene).action, 'warn');
});

test('a capped role does not lend its weight to blocking another role', () => {
  const system = finding({ signature: 'a', role: 'system', confidence: 0.9 });
  const user = finding({ signature: 'b', role: 'user', confidence: 0.2 });
  assert.equal(decide(policy(), [system, user], scene).action, 'warn');
});

test('the strictest action wins over the higher score', () => {
  const warned = finding({ signature: 'enc', category: 'encoding-evasion', confidence: 0.99 });
  const blocked = finding({ confidence: 0.6 });
  const verdict = decide(policy(), [warned, blocked], scene);
  assert.deepEqual([verdict.action, verdict.category, verdict.confidence], ['block', 'prompt-injection', 0.6]);
});

test('sensitive data in a request does what the operator asks for, in a response it blocks', () => {
  const secret = finding({ signature: 'aws', category: 'sensitive-data', confidence: 0.95 });
  assert.equal(decide(policy(), [secret], scene).action, 'allow');
  const asking = policy({ categories: { 'sensitive-data': { request_action: 'log' } } });
  assert.equal(decide(asking, [secret], scene).action, 'log');
  assert.equal(decide(policy(), [secret], { ...scene, direction: 'response' }).action, 'block');
});

test('an exclusion spares only where it says, and only until it ends', () => {
  const excluding = (over: Record<string, unknown>) =>
    policy({ exclusions: [{ signature: 'override-1', reason: 'test', ...over }] });
  const action = (over: Record<string, unknown>) => decide(excluding(over), [finding()], scene).action;
  assert.equal(action({}), 'allow');
  assert.equal(action({ upstream: 'llm-b' }), 'block');
  assert.equal(action({ upstream: 'llm-a', path: '/v1/chat' }), 'allow');
  assert.equal(action({ path: '/v1/embeddings' }), 'block');
  assert.equal(action({ client: '10.0.0.9' }), 'allow');
  assert.equal(action({ client: '10.0.0.10' }), 'block');
  assert.equal(action({ until: '2026-11-21' }), 'allow', 'its last day counts');
  assert.equal(action({ until: '2026-11-20' }), 'block', 'a day later it does not');
});

test('an exclusion for a path covers what is below it, in every spelling, and nothing that only begins alike', () => {
  const spared = (path: string, called: string): boolean => {
    const excluding = policy({ exclusions: [{ signature: 'override-1', path, reason: 'test' }] });
    return decide(excluding, [finding()], { ...scene, path: called }).action === 'allow';
  };
  for (const called of [
    '/v1/embeddings',
    '/v1/embeddings/',
    '/v1/embeddings/x',
    '/v1//%65mbeddings',
    '/v1/embeddings;a=b',
  ])
    assert.ok(spared('/v1/embeddings', called), called);
  for (const called of ['/v1/embeddingsX', '/v1/embeddings-2', '/v1/embedding', '/v1', '', '/check'])
    assert.ok(!spared('/v1/embeddings', called), called);
  for (const path of ['/v1/embeddings/', '/V1/Embeddings']) assert.ok(spared(path, '/v1/embeddings/x'), path);
  assert.ok(spared('/', '/v1/chat/completions'));
  assert.ok(!spared('/', ''), 'no path at all');
});

test('an excluded category leaves the others in force', () => {
  const sparing = policy({ exclusions: [{ category: 'jailbreak', reason: 'test' }] });
  const jailbreak = finding({ signature: 'dan', category: 'jailbreak' });
  assert.equal(decide(sparing, [jailbreak], scene).action, 'allow');
  assert.equal(decide(sparing, [jailbreak, finding()], scene).category, 'prompt-injection');
});
