/**
 * What an agent pays that sends its history with every turn. `remembered`: all but the last message was read before.
 * `new every time`: each message is another one than in the call before, which no memory of clean texts can help with.
 * That is the only way to go without it: there is no switch for what nobody should switch off.
 */
import { chatRequest } from './corpus.ts';
import { measureCpu, run } from './entrant.ts';
import type { BodyShape } from './load-calls.ts';
import { createProgress } from './progress.ts';
import { SCALED, SCALED_WITHOUT_LIKENESS, withField } from './scale-field.ts';
import type { ScaleSettings } from './scale.ts';
import { spread, turned, type Spread } from './statistics.ts';

export interface HistoryRow {
  readonly name: string;
  readonly messages: number;
  readonly bytes: number;
  /** Microseconds of CPU a turn, by contestant. */
  readonly cpu: Readonly<Record<string, Spread>>;
  /** Of one message alone, by the same contestant in the same round. */
  readonly ofOne: Readonly<Record<string, Spread>>;
}

export interface HistoryResults {
  readonly messages: number;
  readonly rows: readonly HistoryRow[];
}

const MESSAGES = 200;
/** A turn of an agent: some hundred words, or what a tool gave back. */
const MESSAGE_BYTES = 400;
const AROUND = 220;

/** Calls until every thread has met the history again. */
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
    // The first round is not kept: in it every thread reads the history for the first time, and compiles.
    for (let round = -1; round < rounds; round += 1) {
      for (const name of turned(names, round + 1)) {
        const body: BodyShape = SHAPES[name];
        progress.step(`${name}: ${round < 0 ? 'warming' : `round ${round + 1}`}`);
        await upstream.ask(body);
        // As many of each as are cheap: code that has run a few hundred times is not yet compiled for speed.
        const calls = Math.max(20, Math.ceil(name === 'history, new every time' ? requests / 10 : requests));
        for (const entrant of turned(entrants, round + 1)) {
          // What ran before this may have filled the memory of clean texts with its own.
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
