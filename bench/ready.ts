/**
 * Waits until a service is ready. One that listens may not scan yet: until its threads have started it forwards
 * requests unscanned.
 */
import { get } from 'node:http';

const GIVE_UP_MS = 60_000;
const LOOK_EVERY_MS = 5;

export async function untilReady(port: number): Promise<void> {
  const startedAt = performance.now();
  while (!(await isReady(port))) {
    if (performance.now() - startedAt > GIVE_UP_MS) throw new Error('it does not become ready');
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

function isReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    get({ port, host: '127.0.0.1', path: '/readyz', agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    }).once('error', () => resolve(false));
  });
}
