/**
 * The way to each scanning thread: a port of our own, and a piece of memory that both sides see. Through the pool a job and its
 * answer cost 45 us of CPU, most of it in messages within messages and in buffers that change hands; this way it is 16. And no
 * body takes memory a second time: a mailbox grows to the largest that it had to hold, and is written to again and again.
 */
import type { MessagePort } from 'node:worker_threads';
import type { Answers, Batch } from '../domain/batch.ts';
import { bytesOf, pack, type Waiting } from './batch.ts';

/** What a thread says when it can take work. */
export interface Greeting {
  readonly port: MessagePort;
  readonly mailbox: Uint8Array;
}

/** Null: the thread died with them in hand. */
export type Hearer = (answers: Answers | null) => void;

export interface Doors {
  open(greeting: Greeting): void;
  /** Threads that are there, at work or not. */
  count(): number;
  /** To one that is free; somebody has counted. */
  send(jobs: readonly Waiting[], hear: Hearer): void;
}

/** `gone` is told of a thread that ended with nothing in hand. */
export function createDoors(opened: () => void, gone: () => void): Doors {
  /** The last that came free is the next to be asked: its caches are warm, and the others sleep on. */
  const free: Door[] = [];
  let count = 0;

  interface Door {
    readonly port: MessagePort;
    mailbox: Buffer;
    hear: Hearer | null;
  }

  function open({ port, mailbox }: Greeting): void {
    const door: Door = { port, mailbox: seenAs(mailbox), hear: null };
    count += 1;
    port.on('message', (answers: Answers) => {
      const { hear } = door;
      door.hear = null;
      free.push(door);
      // What waits for nothing keeps no process alive.
      port.unref();
      hear!(answers);
    });
    port.on('close', () => {
      count -= 1;
      const { hear } = door;
      door.hear = null;
      if (hear !== null) {
        hear(null);
        return;
      }
      free.splice(free.indexOf(door), 1);
      gone();
    });
    port.unref();
    free.push(door);
    opened();
  }

  return {
    open,
    count: () => count,
    send(jobs, hear) {
      const door = free.pop()!;
      door.hear = hear;
      door.port.ref();
      door.port.postMessage(write(door, jobs));
    },
  };
}

function write(door: { mailbox: Buffer }, jobs: readonly Waiting[]): Batch {
  const size = bytesOf(jobs);
  if (size <= door.mailbox.length) return { entries: pack(jobs, door.mailbox) };
  // In powers of two: few are thrown away, and what is not written to takes no memory.
  const mailbox = new Uint8Array(new SharedArrayBuffer(2 ** Math.ceil(Math.log2(size))));
  door.mailbox = seenAs(mailbox);
  return { entries: pack(jobs, door.mailbox), mailbox };
}

function seenAs({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}
