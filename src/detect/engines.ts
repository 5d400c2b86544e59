import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Engines are made when they are asked for the first time, and the more texts one reads, the more states it keeps: of a thousand
 * patterns they were 150 MB, and a thread that has met every kind of text asks thousands. So those are forgotten that were not
 * asked for longest. V8 does not know what one weighs: it sees an object of a hundred bytes and no reason to look whether anybody
 * still holds it, and is told when many were forgotten.
 */
export interface Engines<Engine> {
  readonly of: (number: number) => Engine;
  /** Between two texts: gives back what was forgotten, where that is much. It takes as long as reading a long text. */
  readonly settle: () => void;
}

/** Honest texts of ten corpora ask 600 in all, and for most of them again and again the same. */
const MOST = 384;

export function keepEngines<Engine>(make: (number: number) => Engine, most = MOST): Engines<Engine> {
  let recent = new Map<number, Engine>();
  let older = new Map<number, Engine>();
  let forgotten = 0;
  return {
    of(number) {
      const known = recent.get(number);
      if (known !== undefined) return known;
      const engine = older.get(number) ?? make(number);
      older.delete(number);
      recent.set(number, engine);
      if (recent.size >= most / 2) {
        forgotten += older.size;
        older = recent;
        recent = new Map();
      }
      return engine;
    },
    settle() {
      if (forgotten < most / 2) return;
      forgotten = 0;
      collect();
    },
  };
}

let collector: (() => void) | null = null;

/** V8 shows its collector to a context that is made after a flag was set. */
export function collect(): void {
  if (collector === null) {
    setFlagsFromString('--expose-gc');
    collector = runInNewContext('gc') as () => void;
  }
  collector();
}
