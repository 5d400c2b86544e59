/**
 * The part `scale`: how the cost grows with the size of bodies, concurrent calls, signatures and message history, and
 * how little memory is enough.
 */
import { measureConcurrency, type ConcurrencyResults } from './scale-concurrency.ts';
import { measureHistory, type HistoryResults } from './scale-history.ts';
import { measureMemory, type MemoryResults } from './scale-memory.ts';
import { measureSignatures, type SignatureResults } from './scale-signatures.ts';
import type { ScaleSettings } from './scale-settings.ts';
import { measureStart, type StartResults } from './scale-start.ts';
import { measureSizes, type SizeResults } from './scale-sizes.ts';

export const SCALE_DEFAULTS: ScaleSettings = { only: [], rounds: 5, requests: 2000, connections: 16, seconds: 20 };

export interface ScaleResults {
  readonly settings: ScaleSettings;
  readonly sizes: SizeResults | null;
  readonly concurrency: ConcurrencyResults | null;
  readonly signatures: SignatureResults | null;
  readonly memory: MemoryResults | null;
  readonly history: HistoryResults | null;
  readonly start: StartResults | null;
}

const SECTIONS = ['sizes', 'concurrency', 'signatures', 'history', 'memory', 'start'] as const;

export async function benchScale(settings: ScaleSettings): Promise<ScaleResults> {
  const strange = settings.only.filter((name) => !(SECTIONS as readonly string[]).includes(name));
  if (strange.length > 0) throw new Error(`--only knows ${SECTIONS.join(', ')}, not ${strange.join(', ')}`);
  const wants = (name: (typeof SECTIONS)[number]): boolean =>
    settings.only.length === 0 || settings.only.includes(name);
  // This section runs in this process, so it comes first, before other sections warm it up.
  const signatures = wants('signatures') ? measureSignatures(settings) : null;
  return {
    settings,
    signatures,
    sizes: wants('sizes') ? await measureSizes(settings) : null,
    concurrency: wants('concurrency') ? await measureConcurrency(settings) : null,
    history: wants('history') ? await measureHistory(settings) : null,
    start: wants('start') ? await measureStart(settings) : null,
    memory: wants('memory') ? await measureMemory(settings) : null,
  };
}
