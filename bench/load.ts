/**
 * The load generator, in a process of its own. Under a `closed` load each connection sends the next request when the
 * last was answered; this measures CPU per request. Under an `open` load requests start at a constant rate, whatever
 * the answers do; this measures latency. Open latencies count from the moment a request was due, so a stall shows in
 * every request that it delayed and not only in the one that met it.
 */
import { connect, type Socket } from 'node:net';
import { attackRequest, chatResponse, choicesIn } from './corpus.ts';
import { serveControl } from './child.ts';
import { chatCalls, requestOf, type Target } from './load-calls.ts';
import { readMessages, statusOf, type Message } from './messages.ts';

/** What makes an answer correct. */
interface Expectation {
  /** `meaning`: the model's text, whatever a gateway adds around it. `bytes`: exactly the upstream's bytes. */
  readonly answer?: 'bytes' | 'meaning';
  /** Counts answers that do not state that the request was scanned. */
  readonly scanned?: boolean;
}

export type LoadTask = Target &
  Expectation &
  (
    | { readonly kind: 'closed'; readonly connections: number; readonly requests: number }
    | { readonly kind: 'open'; readonly connections: number; readonly rate: number; readonly seconds: number }
    /** One request that must be refused. Its status is returned. */
    | { readonly kind: 'attack' }
  );

export interface LoadResult {
  readonly answered: number;
  readonly failed: number;
  /** How many of the answered calls were forwarded unscanned, which makes them fast for the wrong reason. */
  readonly unscanned: number;
  readonly seconds: number;
  /** Milliseconds, sorted. Empty for closed loads. */
  readonly latencies: readonly number[];
  /** How late the generator itself was, in milliseconds at the 99th percentile. This delay is part of the latencies. */
  readonly late: number;
  readonly status: number;
  /** The number of failed calls per status; 0 stands for a broken connection. */
  readonly refused: Readonly<Record<string, number>>;
}

interface Connection {
  readonly socket: Socket;
  /** Called with the answer, or with null when the connection broke. */
  answered: ((message: Message | null) => void) | null;
}

interface AnswerChecker {
  readonly isCorrect: (message: Message | null) => boolean;
  readonly unscanned: () => number;
  readonly refused: Readonly<Record<string, number>>;
}

const { requestBytes, responseBytes } = JSON.parse(process.argv[2]!) as { requestBytes: number; responseBytes: number };
const expected = chatResponse(responseBytes);
const choices = choicesIn(expected)!;

serveControl(
  0,
  () => {},
  (task) => run(task as LoadTask),
);

function run(task: LoadTask): Promise<LoadResult> {
  switch (task.kind) {
    case 'closed':
      return runClosedLoad(task);
    case 'open':
      return runOpenLoad(task);
    case 'attack':
      return sendAttack(task);
  }
}

function createAnswerChecker({ answer = 'bytes', scanned = false }: Expectation): AnswerChecker {
  let unscanned = 0;
  const refused: Record<string, number> = {};
  return {
    refused,
    isCorrect(message) {
      const status = message === null ? 0 : statusOf(message.head);
      const asSent =
        message !== null && (answer === 'bytes' ? message.body.equals(expected) : message.body.includes(choices));
      if (status !== 200 || !asSent) {
        refused[status] = (refused[status] ?? 0) + 1;
        return false;
      }
      if (scanned && !message!.head.includes('X-Guard-Scanned: true')) unscanned += 1;
      return true;
    },
    unscanned: () => unscanned,
  };
}

function openConnection(port: number): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const link: Connection = { socket, answered: null };
    const take = (message: Message | null): void => {
      const { answered } = link;
      link.answered = null;
      answered?.(message);
    };
    const feed = readMessages(take);
    socket.once('connect', () => resolve(link));
    socket.on('error', reject);
    socket.on('close', () => take(null));
    socket.on('data', (chunk) => {
      try {
        feed(chunk);
      } catch {
        socket.destroy();
      }
    });
  });
}

async function runClosedLoad(task: LoadTask & { kind: 'closed' }): Promise<LoadResult> {
  const { port, connections, requests } = task;
  const links = await Promise.all(Array.from({ length: connections }, () => openConnection(port)));
  const nextCall = chatCalls(task, requestBytes);
  const { isCorrect, unscanned, refused } = createAnswerChecker(task);
  const startedAt = performance.now();
  let left = requests;
  let answered = 0;
  let failed = 0;
  await Promise.all(
    links.map(
      (link) =>
        new Promise<void>((done) => {
          const next = (): void => {
            if (left === 0 || link.socket.destroyed) {
              done();
              return;
            }
            left -= 1;
            link.answered = (message) => {
              if (isCorrect(message)) answered += 1;
              else failed += 1;
              next();
            };
            link.socket.write(nextCall());
          };
          next();
        }),
    ),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  for (const { socket } of links) socket.destroy();
  return {
    answered,
    failed: failed + left,
    unscanned: unscanned(),
    seconds,
    latencies: [],
    late: 0,
    status: 0,
    refused,
  };
}

/**
 * Timers are too coarse for the last moment before a request is due, so the event loop spins. Spinning for longer
 * would use a whole core.
 */
const SPIN_MS = 1.5;

async function runOpenLoad(task: LoadTask & { kind: 'open' }): Promise<LoadResult> {
  const { port, connections, rate, seconds } = task;
  const links = await Promise.all(Array.from({ length: connections }, () => openConnection(port)));
  const nextCall = chatCalls(task, requestBytes);
  const { isCorrect, unscanned, refused } = createAnswerChecker(task);
  const free = [...links];
  const waiting: number[] = [];
  const latencies: number[] = [];
  const lateness: number[] = [];
  const total = Math.floor(rate * seconds);
  let answered = 0;
  let failed = 0;

  const startedAt = performance.now() + 20;
  await new Promise<void>((done) => {
    const finish = (): void => {
      if (answered + failed === total) done();
    };
    const failAllWhenNoLinkIsLeft = (): void => {
      if (waiting.length === 0 || links.some(({ socket }) => !socket.destroyed)) return;
      failed += waiting.length;
      waiting.length = 0;
    };
    const send = (link: Connection, due: number): void => {
      link.answered = (message) => {
        if (isCorrect(message)) {
          answered += 1;
          latencies.push(performance.now() - due);
        } else {
          failed += 1;
        }
        const next = waiting.shift();
        if (link.socket.destroyed) {
          // Counted as failed and not retried: a contestant that drops connections must not look fast.
          if (next !== undefined) failed += 1;
        } else if (next === undefined) {
          free.push(link);
        } else {
          send(link, next);
        }
        failAllWhenNoLinkIsLeft();
        finish();
      };
      link.socket.write(nextCall());
    };

    let sent = 0;
    const sendDue = (): void => {
      const now = performance.now();
      for (; sent < total; sent += 1) {
        const due = startedAt + (sent * 1000) / rate;
        if (due > now) break;
        lateness.push(now - due);
        const link = free.pop();
        if (link === undefined) waiting.push(due);
        else if (link.socket.destroyed) failed += 1;
        else send(link, due);
      }
      failAllWhenNoLinkIsLeft();
      finish();
      if (sent === total) return;
      const wait = startedAt + (sent * 1000) / rate - performance.now();
      if (wait > SPIN_MS) setTimeout(sendDue, wait - SPIN_MS);
      else setImmediate(sendDue);
    };
    sendDue();
  });
  for (const { socket } of links) socket.destroy();
  latencies.sort((a, b) => a - b);
  lateness.sort((a, b) => a - b);
  return {
    answered,
    failed,
    unscanned: unscanned(),
    seconds: (performance.now() - startedAt) / 1000,
    latencies,
    late: lateness[Math.floor(lateness.length * 0.99)] ?? 0,
    status: 0,
    refused,
  };
}

async function sendAttack(task: LoadTask & { kind: 'attack' }): Promise<LoadResult> {
  const link = await openConnection(task.port);
  const status = await new Promise<number>((resolve) => {
    link.answered = (message) => resolve(message === null ? 0 : statusOf(message.head));
    link.socket.write(requestOf(task, attackRequest()));
  });
  link.socket.destroy();
  return { answered: 1, failed: 0, unscanned: 0, seconds: 0, latencies: [], late: 0, status, refused: {} };
}
