import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { SignatureCost } from '../domain/cost.ts';
import type { Signature } from '../domain/signature.ts';

const WORKER = fileURLToPath(new URL('../../workers/scan.js', import.meta.url));
/** One signature takes milliseconds. A thread that reports nothing for this long is stuck on a text. */
const SILENCE_MS = 60_000;

/**
 * Measures in a separate thread what the signatures of these ids cost on hostile text. `onStep` is called with the number of steps done so far.
 */
export function measureCosts(
  signatures: readonly Signature[],
  signatureIds: readonly string[],
  onStep: (done: number) => void,
): Promise<readonly SignatureCost[]> {
  return new Promise((resolve, reject) => {
    const costs: SignatureCost[] = [];
    const thread = new Worker(WORKER, {
      workerData: { signatures, control: new Int32Array(0), likeness: false, costsOf: signatureIds },
    });
    let done = 0;
    const silence = setTimeout(() => {
      void thread.terminate();
      reject(
        new Error(
          `nothing was measured for ${SILENCE_MS / 1000} s; ${done} of ${signatureIds.length + 1} steps were done`,
        ),
      );
    }, SILENCE_MS);
    thread.on('message', (measured: readonly SignatureCost[]) => {
      costs.push(...measured);
      onStep(done);
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
