import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { SignatureCost } from '../domain/cost.ts';
import type { Signature } from '../domain/signature.ts';

const WORKER = fileURLToPath(new URL('../../workers/cost.js', import.meta.url));
/** One signature takes milliseconds. A thread that is silent this long has met text that does not end. */
const SILENCE_MS = 60_000;

/** Measured in a thread of its own, signature by signature; `step` is told how many are done. */
export function measureCosts(
  signatures: readonly Signature[],
  wanted: readonly string[],
  step: (done: number) => void,
): Promise<readonly SignatureCost[]> {
  return new Promise((resolve, reject) => {
    const costs: SignatureCost[] = [];
    const thread = new Worker(WORKER, { workerData: { signatures, wanted } });
    let done = 0;
    const silence = setTimeout(() => {
      void thread.terminate();
      reject(
        new Error(`nothing was measured for ${SILENCE_MS / 1000} s; ${done} of ${wanted.length + 1} steps were done`),
      );
    }, SILENCE_MS);
    thread.on('message', (told: readonly SignatureCost[]) => {
      costs.push(...told);
      step(done);
      done += 1;
      silence.refresh();
    });
    thread.on('error', (error) => {
      clearTimeout(silence);
      reject(error);
    });
    thread.on('exit', () => {
      clearTimeout(silence);
      resolve(costs);
    });
  });
}
