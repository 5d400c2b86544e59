import type { Log } from './log.ts';

/**
 * The log of heads that were refused before there was a request. Whoever opens connections decides how many such lines
 * there are, and each costs its sender a few bytes only, so they are bounded.
 */

export interface HeadLog {
  refused(head: {
    readonly requestId: string;
    readonly reason: string;
    readonly status: number;
    readonly client: string;
  }): void;
  /** Says what was left out in the second that is still running. */
  close(): void;
}

const LINES_A_SECOND = 20;

export function createHeadLog(log: Log): HeadLog {
  let written = 0;
  let leftOut = 0;
  let timer: NodeJS.Timeout | undefined;

  function settle(): void {
    clearTimeout(timer);
    timer = undefined;
    if (leftOut > 0) log.event('info', 'more heads refused than are logged', { count: leftOut });
    written = 0;
    leftOut = 0;
  }

  return {
    refused({ requestId, reason, status, client }) {
      // A timer, and not a look at the clock with the next line: the number left out must be told without a next line.
      timer ??= setTimeout(settle, 1000).unref();
      if (written === LINES_A_SECOND) {
        leftOut += 1;
        return;
      }
      written += 1;
      log.event('info', 'head refused', { request_id: requestId, reason, status, client });
    },
    close: settle,
  };
}
