/**
 * The direct channel to each scanning thread: a message port and a block of shared memory, the mailbox. Through
 * piscina, a job and its answer cost 45 us of CPU, most of it for nested messages and transferred buffers. Through a
 * port of our own they cost 16 us. Bodies need no memory of their own on the thread: the mailbox grows to the largest
 * batch so far and is reused.
 */
import type { MessagePort } from 'node:worker_threads';
import type { BatchOutcomes, Batch } from '../domain/batch.ts';
import { bytesOf, copyToMailbox, type QueuedJob } from './batch.ts';

/** The message by which a thread says that it can take work. */
export interface Greeting {
  readonly port: MessagePort;
  readonly mailbox: Uint8Array;
}

/**
 * Receives the outcomes of a batch, in one or more parts; null when the thread died while it had the batch. After the last
 * part the thread is free.
 */
export type OutcomesListener = (outcomes: BatchOutcomes | null, isLast: boolean) => void;

export interface ThreadPorts {
  open(greeting: Greeting): void;
  /** Number of connected threads, busy or not. */
  count(): number;
  /** Sends a batch to a free thread. The caller must make sure that there is one. */
  send(jobs: readonly QueuedJob[], onOutcomes: OutcomesListener): void;
}

/** `onOpened` is called for each new thread, `onGone` for each thread that ended without having a batch. */
export function createThreadPorts(onOpened: () => void, onGone: () => void): ThreadPorts {
  /**
   * A stack: the thread that became free last gets the next batch. Its CPU caches are warm, and the others keep
   * sleeping.
   */
  const free: ThreadPort[] = [];
  let count = 0;

  interface ThreadPort {
    readonly port: MessagePort;
    mailbox: Buffer;
    onOutcomes: OutcomesListener | null;
    /** How many jobs of its batch have no outcome yet. */
    left: number;
  }

  function open({ port, mailbox }: Greeting): void {
    const thread: ThreadPort = { port, mailbox: asBuffer(mailbox), onOutcomes: null, left: 0 };
    count += 1;
    port.on('message', (outcomes: BatchOutcomes) => {
      const { onOutcomes } = thread;
      thread.left -= outcomes.length;
      if (thread.left > 0) {
        onOutcomes!(outcomes, false);
        return;
      }
      thread.onOutcomes = null;
      free.push(thread);
      // A port that expects no answer must not keep the process alive.
      port.unref();
      onOutcomes!(outcomes, true);
    });
    port.on('close', () => {
      count -= 1;
      const { onOutcomes } = thread;
      thread.onOutcomes = null;
      if (onOutcomes !== null) {
        onOutcomes(null, true);
        return;
      }
      free.splice(free.indexOf(thread), 1);
      onGone();
    });
    port.unref();
    free.push(thread);
    onOpened();
  }

  return {
    open,
    count: () => count,
    send(jobs, onOutcomes) {
      const thread = free.pop()!;
      thread.onOutcomes = onOutcomes;
      thread.left = jobs.length;
      thread.port.ref();
      thread.port.postMessage(batchFor(thread, jobs));
    },
  };
}

function batchFor(thread: { mailbox: Buffer }, jobs: readonly QueuedJob[]): Batch {
  const size = bytesOf(jobs);
  if (size <= thread.mailbox.length) return { entries: copyToMailbox(jobs, thread.mailbox) };
  // Sizes are powers of two, so that few mailboxes are discarded. Pages that are never written to take no memory.
  const mailbox = new Uint8Array(new SharedArrayBuffer(2 ** Math.ceil(Math.log2(size))));
  thread.mailbox = asBuffer(mailbox);
  return { entries: copyToMailbox(jobs, thread.mailbox), mailbox };
}

function asBuffer({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}
