import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMemoryShort } from '../../domain/memory.ts';

/**
 * Compiled engines, made when they are first used. The more texts an engine reads, the more states it keeps: for a
 * thousand patterns these were 150 MB, and a thread that has met every kind of text uses thousands. So engines that
 * were not used for a while are dropped. V8 does not know their weight: it sees an object of a hundred bytes and no
 * reason to collect it. So the garbage collector is called when many were dropped.
 *
 * Refused: a fixed number of engines. A sender whose text holds the words of a thousand patterns would have each of
 * them compiled anew for every text, which took seven times as long.
 */
export interface Engines<Engine> {
  readonly of: (number: number) => Engine;
  /** How many were made since the start. Making one takes as long as reading a short text with a hundred. */
  readonly made: () => number;
  /** Called between two texts: drops the engines that are due. Sometimes that takes as long as reading a long text. */
  readonly settle: () => void;
  /** Drops all engines at once. */
  readonly forget: () => void;
  /** Has `drop` called whenever all engines are dropped, for what else keeps states and is made anew when asked. */
  readonly withThem: (drop: () => void) => void;
}

/** An engine that was last used more than twice this long ago is dropped. */
const KEPT_MS = 30_000;
/** Fewer engines than this are not worth dropping: they take a few megabytes. */
const FEW = 128;
/**
 * After this many periods all engines are dropped, however few they are: the states of one that is always in use only
 * grow.
 */
const AGES = 20;
/**
 * So often a thread looks whether memory is short. If so, all engines are dropped, since the kernel would end the
 * process. A thread that meets all kinds of attacks then makes them anew for each text, at several times its cost.
 */
const LOOKED_MS = 2_000;
/** And whenever so many engines were made since: texts of all kinds of attacks need a thousand in a second. */
const LOOKED_MADE = 256;

export function keepEngines<Engine>(
  make: (number: number) => Engine,
  now = () => performance.now(),
  isShort = isMemoryShort,
): Engines<Engine> {
  let recent = new Map<number, Engine>();
  let older = new Map<number, Engine>();
  let since = now();
  let ages = 0;
  let lookedAt = since;
  let made = 0;
  let madeInAll = 0;
  const companions: (() => void)[] = [];
  const forget = (): void => {
    recent = new Map();
    older = new Map();
    for (const drop of companions) drop();
    collect();
  };
  const anew = (number: number): Engine => {
    made += 1;
    madeInAll += 1;
    return make(number);
  };
  return {
    of(number) {
      const known = recent.get(number);
      if (known !== undefined) return known;
      const engine = older.get(number) ?? anew(number);
      older.delete(number);
      recent.set(number, engine);
      return engine;
    },
    settle() {
      const time = now();
      if (time - since >= KEPT_MS) {
        since = time;
        ages += 1;
        if (ages % AGES === 0) {
          forget();
          return;
        }
        if (recent.size + older.size < FEW) return;
        const gone = older.size;
        older = recent;
        recent = new Map();
        if (gone >= FEW) collect();
      }
      if (recent.size + older.size < FEW) return;
      if (time - lookedAt < LOOKED_MS && made < LOOKED_MADE) return;
      lookedAt = time;
      made = 0;
      if (isShort()) forget();
    },
    made: () => madeInAll,
    withThem: (drop) => void companions.push(drop),
    forget,
  };
}

let collector: (() => void) | null = null;

/** Collects garbage. V8 exposes `gc` to contexts that are created after the flag was set. */
export function collect(): void {
  if (collector === null) {
    setFlagsFromString('--expose-gc');
    collector = runInNewContext('gc') as () => void;
  }
  collector();
}
