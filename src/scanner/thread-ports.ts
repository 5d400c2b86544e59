/**
 * The direct channel ("door") to each scanning thread: a message port and a block of shared memory, the mailbox.
 * Through piscina, a job and its answer cost 45 us of CPU, most of it for nested messages and transferred buffers.
 * Through a door they cost 16 us. Bodies need no memory of their own on the thread: the mailbox grows to the largest
 * batch so far and is reused.
 */
import type { MessagePort } from 'node:worker_threads';
import type { Answers, Batch } from '../domain/batch.ts';
import { bytesOf, pack, type Waiting } from './batch.ts';

/** The message by which a thread says that it can take work. */
export interface Greeting {
  readonly port: MessagePort;
  readonly mailbox: Uint8Array;
}

/** Receives the answers to a batch, or null when the thread died while it had the batch. */
export type Hearer = (answers: Answers | null) => void;

export interface Doors {
  open(greeting: Greeting): void;
  /** Number of connected threads, busy or not. */
  count(): number;
  /** Sends a batch to a free thread. The caller must make sure that there is one. */
  send(jobs: readonly Waiting[], hear: Hearer): void;
}

/** `opened` is called for each new thread, `gone` for each thread that ended without having a batch. */
export function createDoors(opened: () => void, gone: () => void): Doors {
  /**
   * A stack: the thread that became free last gets the next batch. Its CPU caches are warm, and the others keep
   * sleeping.
   */
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
      // A port that expects no answer must not keep the process alive.
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
  // Sizes are powers of two, so that few mailboxes are discarded. Pages that are never written to take no memory.
  const mailbox = new Uint8Array(new SharedArrayBuffer(2 ** Math.ceil(Math.log2(size))));
  door.mailbox = seenAs(mailbox);
  return { entries: pack(jobs, door.mailbox), mailbox };
}

function seenAs({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}
