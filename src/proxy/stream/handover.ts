import { refuse, type Refusal } from '../../domain/refusal.ts';
import type { StreamOutcome } from '../../domain/stream.ts';
import { writeAsOneChunk } from '../../http/one-chunk.ts';
import { sever, handleUpstreamBreak, wasReset, writeHead, type Delivery, type Handover } from '../delivery.ts';
import { reserveMemory } from '../response-memory.ts';
import type { AnswerScan, ResponseJudge } from '../response-gate.ts';
import { retryWhileOverloaded } from '../retry-overloaded.ts';
import { timedScan } from '../timed-scan.ts';
import { dialectAt } from './dialect.ts';
import { endWithError } from './end-with-error.ts';
import type { StreamKind } from './in-band.ts';
import { createKeepAlive } from './keep-alive.ts';
import { createScannedStream } from './scanned.ts';
import { watchEnd } from './terminators.ts';

/**
 * Sends a streamed response to the client while it is scanned. Connects `createScannedStream` with the upstream, the
 * client, the timeouts and the metrics. The response head is sent together with the first frame.
 */
export function handOverStream(
  delivery: Delivery,
  kind: StreamKind,
  { scanner, settings, path, forbidden, metrics, isWanted }: AnswerScan,
  judge: ResponseJudge,
): Handover {
  const { upstream, answer, client, exchange, deadline, writeStallMs } = delivery;
  let isHeadWritten = false;
  let isOver = false;
  let isStalled = false;

  function writeHeadOnce(): boolean {
    if (isHeadWritten) return true;
    isHeadWritten = true;
    // The upstream's Content-Length is dropped: it would be wrong for a stream that ends with our error frame.
    if (writeHead(delivery, { length: null })) return true;
    endWithRefusal(refuse('upstream_invalid'));
    return false;
  }

  /** Ends the stream with a refusal. Only whole frames have been sent, so an error frame can follow at any point. */
  function endWithRefusal(refusal: Refusal): void {
    if (isOver) return;
    isOver = true;
    stream.stop();
    delivery.cancel();
    if (!client.headersSent) {
      delivery.refuse(refusal);
      return;
    }
    exchange.ending = 'cut';
    exchange.refusal = refusal.type;
    endWithError(delivery, kind, refusal);
  }

  /** The upstream broke off. The text that waits for its verdict is dropped. */
  function breakOff(): void {
    if (isOver || client.destroyed) return;
    isOver = true;
    stream.stop();
    handleUpstreamBreak(delivery);
  }

  let stepSeconds = 0;
  const stream = createScannedStream(
    {
      kind,
      mode: settings.mode,
      path,
      bufferChars: settings.bufferChars,
      maxBytes: settings.maxBytes,
      mask: settings.mask,
      forbidden,
    },
    {
      async step(job) {
        const ask = (): Promise<StreamOutcome> => retryWhileOverloaded(() => scanner.stream(job, isWanted), isWanted);
        const timed = await timedScan(exchange, ask);
        stepSeconds = timed.seconds;
        return timed.outcome;
      },
      countResult: (result) => metrics.scan(result, stepSeconds),
      judge: (findings) => judge.judgeFindings(findings),
      shouldMask: (finding) => judge.shouldMask(finding),
      onFailedStep: (outcome) => judge.onFailedScan(outcome),
      refusalOfTooLarge: () => refuse('response_too_large'),
      onOwnFault(error) {
        isOver = true;
        delivery.onOwnFault(error);
      },
    },
    {
      write(bytes) {
        if (!writeHeadOnce() || client.destroyed) return true;
        exchange.responseBytes += bytes.length;
        keepAlive.restart();
        return writeAsOneChunk(client, bytes);
      },
      end() {
        if (!writeHeadOnce() || isOver) return;
        isOver = true;
        deadline.enter('stalled', writeStallMs);
        client.end();
      },
      refuse: endWithRefusal,
      pause() {
        answer.pause();
        // From the first moment on: what arrives meanwhile gives a client that takes nothing no more time.
        if (!client.writableNeedDrain || isStalled) return;
        isStalled = true;
        deadline.enter('stalled', writeStallMs);
      },
      resume() {
        answer.resume();
        deadline.enter('idle', upstream.idleMs);
      },
    },
  );

  // Only whole frames are sent, so a comment can be inserted at any point. NDJSON has no comments, and clients of Gemini
  // know none: they take one for the end of a stream that is broken.
  const hasComments = kind === 'sse' && dialectAt(exchange.path) !== 'gemini';
  const keepAlive = createKeepAlive(
    () => hasComments && !isOver && client.headersSent && !client.writableNeedDrain && stream.isHolding(),
    (comment) => writeAsOneChunk(client, Buffer.from(comment)),
  );

  deadline.enter('idle', upstream.idleMs);
  const reservation =
    settings.mode === 'full'
      ? reserveMemory(delivery, settings.maxBytes, () => endWithRefusal(refuse('overloaded')))
      : null;
  const endWatch = watchEnd(delivery, kind);
  let bytes = 0;
  answer.on('data', (chunk: Buffer) => {
    if (!isStalled) deadline.enter('idle', upstream.idleMs);
    endWatch?.push(chunk);
    bytes += chunk.length;
    reservation?.grewTo(bytes);
    stream.push(chunk);
  });
  client.on('drain', () => {
    isStalled = false;
    deadline.enter('idle', upstream.idleMs);
    stream.onDrain();
  });
  answer.once('end', () => {
    if (wasReset(answer) || endWatch?.isComplete() === false) {
      breakOff();
      return;
    }
    if (!isStalled) deadline.suspend();
    stream.end();
  });
  answer.once('close', () => {
    if (!answer.complete || wasReset(answer)) breakOff();
  });
  client.once('close', () => {
    keepAlive.stop();
    stream.stop();
  });

  if (settings.mode === 'passthrough') {
    // In passthrough mode the head need not wait for the first frame.
    setImmediate(() => {
      if (!isOver && writeHeadOnce() && !client.destroyed && exchange.responseBytes === 0) client.flushHeaders();
    });
  }

  return {
    cut(refusal) {
      if (!isOver) {
        endWithRefusal(refusal);
        return;
      }
      exchange.ending = 'cut';
      exchange.refusal = refusal.type;
      sever(delivery);
    },
  };
}
