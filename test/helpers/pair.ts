import type { TestContext } from 'node:test';
import { startGuard, type Guard, type GuardOptions } from './guard.ts';
import { startRecorder, type Answering, type Recorder, type RecorderOptions } from './recorder.ts';

export interface PairOptions {
  /** Keys of the upstream's configuration beside its address. */
  readonly upstream?: Readonly<Record<string, unknown>>;
  readonly basePath?: string;
  readonly config?: GuardOptions['config'];
  readonly faults?: GuardOptions['faults'];
  readonly recorder?: RecorderOptions;
}

/** A guard before one recording upstream called llm-a, without a scanner unless the test asks for one. */
export async function startPair(
  t: TestContext,
  answering: Answering,
  options: PairOptions = {},
): Promise<{ readonly guard: Guard; readonly upstream: Recorder }> {
  const upstream = await startRecorder(answering, options.recorder);
  t.after(() => upstream.close());
  const guard = await startGuard({
    upstreams: { 'llm-a': { url: `${upstream.url}${options.basePath ?? ''}`, ...options.upstream } },
    config: { scanner: { enabled: false }, ...options.config },
    ...(options.faults === undefined ? {} : { faults: options.faults }),
  });
  t.after(() => guard.close());
  return { guard, upstream };
}
