import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Engines are made when they are asked for the first time, and the more texts one reads, the more states it keeps: of a thousand
 * patterns they were 150 MB, and a thread that has met every kind of text asks thousands. So those are forgotten that nobody asked
 * for in a while. V8 does not know what one weighs: it sees an object of a hundred bytes and no reason to look whether anybody
 * still holds it, and is told when many were forgotten.
 *
 * Refused: to hold so many and no more. Whoever writes a text with the words of a thousand patterns would have each of them made
 * anew for every text, which took seven times as long.
 */
export interface Engines<Engine> {
  readonly of: (number: number) => Engine;
  /** Between two texts: forgets what it is time to forget. Now and then that takes as long as reading a long text. */
  readonly settle: () => void;
  /** All of them, at once. */
  readonly forget: () => void;
}

/** Whoever was asked twice as long ago is forgotten. */
const KEPT_MS = 30_000;
/** Not worth forgetting: a few megabytes. */
const FEW = 128;
/** Each so many times all are forgotten, since the states of one that is always asked for only grow. */
const AGES = 20;

export function keepEngines<Engine>(make: (number: number) => Engine, now = () => performance.now()): Engines<Engine> {
  let recent = new Map<number, Engine>();
  let older = new Map<number, Engine>();
  let since = now();
  let ages = 0;
  const forget = (): void => {
    recent = new Map();
    older = new Map();
    collect();
  };
  return {
    of(number) {
      const known = recent.get(number);
      if (known !== undefined) return known;
      const engine = older.get(number) ?? make(number);
      older.delete(number);
      recent.set(number, engine);
      return engine;
    },
    settle() {
      if (recent.size + older.size < FEW) return;
      const time = now();
      if (time - since < KEPT_MS) return;
      since = time;
      ages += 1;
      if (ages % AGES === 0) {
        forget();
        return;
      }
      const gone = older.size;
      older = recent;
      recent = new Map();
      if (gone >= FEW) collect();
    },
    forget,
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
