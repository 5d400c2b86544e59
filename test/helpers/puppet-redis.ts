import { createServer, type AddressInfo, type Socket } from 'node:net';

export interface PuppetRedis {
  readonly url: string;
  /** How often it was asked to count, per key. */
  readonly counts: ReadonlyMap<string, number>;
  /** From now on questions wait, as with a process that is stopped. */
  hang(): void;
  /** Answers all that has come meanwhile. */
  goOn(): void;
  /** What it answers instead of a count, such as `OOM command not allowed`; null for the count. */
  refuse(with_: string | null): void;
  /** How often it was asked to count, answered or not. */
  asked(): number;
  /** Ends and starts again: connections and open questions are gone. */
  restart(): void;
  close(): void;
}

/** A Redis that speaks as much of its protocol as a limit needs, and breaks when it is told to. */
export async function startPuppetRedis(): Promise<PuppetRedis> {
  const counts = new Map<string, number>();
  const sockets = new Set<Socket>();
  let refusal: string | null = null;
  let hanging = false;
  let asked = 0;
  const waiting: (() => void)[] = [];

  function answerTo(words: readonly string[]): string {
    const name = words[0]!.toUpperCase();
    if (name === 'INFO') return bulk('redis_version:7.0.0\r\nloading:0\r\n');
    if (!isCount(words)) return '+OK\r\n';
    if (refusal !== null) return `-${refusal}\r\n`;
    const [, , , key, points, seconds] = words;
    const count = (counts.get(key!) ?? 0) + Number(points);
    counts.set(key!, count);
    return `*2\r\n:${count}\r\n:${Number(seconds) * 1000}\r\n`;
  }

  const server = createServer((socket) => {
    sockets.add(socket);
    let text = '';
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      for (;;) {
        const command = takeCommand(text);
        if (command === null) return;
        text = text.slice(command.length);
        if (isCount(command.words)) asked += 1;
        const answer = (): void => void socket.write(answerTo(command.words));
        if (hanging) waiting.push(answer);
        else answer();
      }
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });

  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}/0`,
    counts,
    hang() {
      hanging = true;
    },
    goOn() {
      hanging = false;
      for (const answer of waiting.splice(0)) answer();
    },
    refuse(with_) {
      refusal = with_;
    },
    asked: () => asked,
    restart() {
      hanging = false;
      waiting.length = 0;
      for (const socket of sockets) socket.destroy();
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

function isCount([name]: readonly string[]): boolean {
  return /^eval(?:sha)?$/i.test(name!);
}

function bulk(text: string): string {
  return `$${text.length}\r\n${text}\r\n`;
}

/** The first command of what has come, an array of strings, once it is whole. */
function takeCommand(text: string): { readonly words: readonly string[]; readonly length: number } | null {
  const head = /^\*(\d+)\r\n/.exec(text);
  if (head === null) return null;
  const words: string[] = [];
  let at = head[0].length;
  for (let i = 0; i < Number(head[1]); i += 1) {
    const size = /^\$(\d+)\r\n/.exec(text.slice(at, at + 32));
    if (size === null) return null;
    const from = at + size[0].length;
    at = from + Number(size[1]) + 2;
    if (at > text.length) return null;
    words.push(text.slice(from, at - 2));
  }
  return { words, length: at };
}
