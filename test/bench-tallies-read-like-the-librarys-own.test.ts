import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMetrics } from '../src/observe/metrics.ts';

function linesOf(text: string, name: string): string[] {
  return text.split('\n').filter((line) => line.startsWith(name) && !line.startsWith('#'));
}

test('a histogram counts into its buckets, cumulatively, with its sum and count', async () => {
  const metrics = createMetrics(['llm-a'], { version: '1.2.3', node: 'v24.0.0' });
  for (const seconds of [0.005, 0.006, 0.3, 1000]) metrics.exchange('llm-a', 'POST', 200, seconds);
  const { text } = await metrics.page();
  metrics.close();
  const lines = linesOf(text, 'guard_request_duration_seconds');
  const value = (bound: string): string | undefined =>
    lines
      .find(
        (line) => line.includes(`le="${bound}"`) && line.includes('method="POST"') && line.includes('upstream="llm-a"'),
      )
      ?.split(' ')
      .pop();
  // A value that is a bound belongs to it.
  assert.deepEqual(['0.005', '0.01', '0.25', '0.5', '300', '+Inf'].map(value), ['1', '2', '2', '3', '3', '4']);
  assert.equal(
    lines
      .find((line) => line.includes('_sum'))
      ?.split(' ')
      .pop(),
    '1000.311',
  );
  assert.equal(
    lines
      .find((line) => line.includes('_count'))
      ?.split(' ')
      .pop(),
    '4',
  );
  assert.match(text, /^# TYPE guard_request_duration_seconds histogram$/m);
});

test('a counter has a series for each set of labels, and a gauge goes down as well as up', async () => {
  const metrics = createMetrics(['llm-a'], { version: '1.2.3', node: 'v24.0.0' });
  metrics.exchange('llm-a', 'POST', 200, 1);
  metrics.exchange('llm-a', 'POST', 200, 1);
  metrics.exchange('llm-a', 'POST', 400, 1);
  metrics.exchange('llm-a', 'BREW', 200, 1);
  metrics.opened('llm-a');
  metrics.opened('llm-a');
  metrics.closed('llm-a');
  const { text } = await metrics.page();
  metrics.close();
  assert.deepEqual(linesOf(text, 'guard_requests_total').sort(), [
    'guard_requests_total{upstream="llm-a",method="POST",status="200"} 2',
    'guard_requests_total{upstream="llm-a",method="POST",status="400"} 1',
    'guard_requests_total{upstream="llm-a",method="other",status="200"} 1',
  ]);
  assert.deepEqual(linesOf(text, 'guard_inflight_requests'), ['guard_inflight_requests{upstream="llm-a"} 1']);
});
