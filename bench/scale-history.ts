/**
 * The cost for an agent that sends its whole history with every request. `remembered`: all messages but the last were
 * scanned before. `new every time`: every message differs from the previous call, so the cache of clean texts does
 * not help. There is no setting to disable that cache, because nobody should, so this is the only way to measure
 * without it.
 */
import { chatRequest } from './corpus.ts';
import { measureCpu, run } from './entrant.ts';
import type { BodyShape } from './load-calls.ts';
import { createProgress } from './progress.ts';
import { SCALED, SCALED_WITHOUT_LIKENESS, withField } from './scale-field.ts';
import type { ScaleSettings } from './scale-settings.ts';
import { spread, rotated, type Spread } from './statistics.ts';

export interface HistoryRow {
  readonly name: string;
  readonly messages: number;
  readonly bytes: number;
  /** CPU microseconds per request, by contestant. */
  readonly cpu: Readonly<Record<string, Spread>>;
  /** The ratio to a single message, for the same contestant in the same round. */
  readonly ofOne: Readonly<Record<string, Spread>>;
}

export interface HistoryResults {
  readonly messages: number;
  readonly rows: readonly HistoryRow[];
}

const MESSAGES = 200;
/** The size of a message: about a hundred words, or the result of a tool. */
const MESSAGE_BYTES = 400;
const AROUND = 220;

/** Calls after which every thread has seen the history again. */
const RELEARNING = 20;

const SHAPES = {
  'one message': { bytes: MESSAGE_BYTES + AROUND, turns: 1, stamps: 'all' },
  'history, remembered': { bytes: MESSAGES * (MESSAGE_BYTES + 32) + AROUND, turns: MESSAGES, stamps: 'last' },
  'history, new every time': { bytes: MESSAGES * (MESSAGE_BYTES + 32) + AROUND, turns: MESSAGES, stamps: 'all' },
} satisfies Record<string, BodyShape>;

type ShapeName = keyof typeof SHAPES;

export function measureHistory({ rounds, requests, connections }: ScaleSettings): Promise<HistoryResults> {
  const names = Object.keys(SHAPES) as ShapeName[];
  const field = { ...SCALED, 'guard-without-likeness': SCALED_WITHOUT_LIKENESS };
  return withField(field, async ({ entrants, load, upstream }) => {
    const progress = createProgress((rounds + 1) * names.length);
    const cpu = new Map(
      names.map((name) => [name, new Map(entrants.map((entrant) => [entrant.name, [] as number[]]))]),
    );
    // The first round is discarded: every thread reads the history for the first time and compiles code.
    for (let round = -1; round < rounds; round += 1) {
      for (const name of rotated(names, round + 1)) {
        const body: BodyShape = SHAPES[name];
        progress.step(`${name}: ${round < 0 ? 'warming' : `round ${round + 1}`}`);
        await upstream.ask(body);
        // As many calls as are affordable: code that has run a few hundred times is not yet optimized by the JIT
        // compiler.
        const calls = Math.max(20, Math.ceil(name === 'history, new every time' ? requests / 10 : requests));
        for (const entrant of rotated(entrants, round + 1)) {
          // The previous measurement may have filled the cache of clean texts with its own.
          const again = { ...entrant.target, body, kind: 'closed', connections, requests: RELEARNING } as const;
          await run(load, again);
          const cost = await measureCpu(entrant, load, { requests: calls, connections, body });
          if (round >= 0) cpu.get(name)!.get(entrant.name)!.push(cost.cpu);
        }
      }
    }
    progress.end();
    const one = cpu.get('one message')!;
    const rows = names.map((name): HistoryRow => {
      const mine = [...cpu.get(name)!];
      const { bytes, turns } = SHAPES[name];
      return {
        name,
        messages: turns,
        bytes: chatRequest(bytes, 1, turns).length,
        cpu: Object.fromEntries(mine.map(([who, values]) => [who, spread(values)])),
        ofOne: Object.fromEntries(
          mine.map(([who, values]) => [who, spread(values.map((value, round) => value / one.get(who)![round]!))]),
        ),
      };
    });
    return { messages: MESSAGES, rows };
  });
}
