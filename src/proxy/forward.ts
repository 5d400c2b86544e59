/**
 * Sends a request to an upstream. This is the only module that uses http-proxy, and it works around the library's flaws
 * (docs/security.md lists them, with one regression test each). The library never sees the client's request. It gets an
 * `Attempt` built here with the final method, target, headers and bytes, so what is sent cannot differ from what was
 * scanned.
 */
import './util-extend.ts';
import type { ClientRequest, IncomingMessage, RequestOptions, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import httpProxy from 'http-proxy';
import type { Bytes } from '../domain/bytes.ts';
import type { Deadline } from './deadline.ts';
import { LONG_BYTES } from './unsent.ts';
import { closeIdle, createUpstreamAgent, keepNoneAlive, leaveQueue, replace } from './upstream-agent.ts';
import { errorCode, faultOf, isMalformed, type UpstreamFault } from './upstream-fault.ts';

export interface UpstreamRequest {
  readonly method: string;
  /** Path and query as the upstream will see them, byte for byte. */
  readonly path: string;
  /** Alternating names and values, including the framing headers (Content-Length). */
  readonly headers: readonly string[];
  /** The bytes that were scanned; null when the request has no body. */
  readonly body: Bytes | null;
}

/** Callbacks of one call to an upstream. */
export interface CallListener {
  /** A response head arrived and can be relayed. Nothing of the body has been read. */
  onResponse(response: IncomingMessage): void;
  /**
   * No response will come. Called at most once, never after `onResponse`. The code is that of the error behind the
   * fault, where there was one.
   */
  onFailure(fault: UpstreamFault, code: string | null): void;
  /** A long body has been sent completely. It is held no longer than for a retry. */
  onBodySent(): void;
  /** The request is sent a second time, on another connection, because a reused connection was stale. */
  onRetry(): void;
  /** The body of the response is no sound HTTP: a broken chunk size, say. Called before its stream closes. */
  onMalformedBody(code: string): void;
}

export interface UpstreamCall {
  /** Aborts the call to the upstream in whatever phase it is. No method of the listener is called afterwards. */
  cancel(): void;
}

export interface Forwarder {
  send(request: UpstreamRequest, deadline: Deadline, listener: CallListener): UpstreamCall;
  /** Whether this forwarder was created for the same target, so that a reload can keep it. */
  isFor(target: ForwardTarget): boolean;
  /** Lets running calls finish, closes idle connections, and keeps no connection alive from now on. */
  retire(): void;
  close(): void;
}

export interface ForwardTarget {
  /** Scheme, host and port. */
  readonly url: string;
  readonly maxSockets: number;
  readonly queueMs: number;
  readonly connectMs: number;
  readonly firstByteMs: number;
}

/**
 * A stale socket is reset at once. A later reset means that the upstream was working, and a retry would cost the client
 * twice.
 */
const RETRY_WITHIN_MS = 1000;
/**
 * How long an upstream that has answered may take to read the rest of the request. Node would keep the connection and
 * the body until it has, which may be never.
 */
const REST_MS = 5000;
/** Node silently drops response headers beyond this number, and a dropped one may be a framing header. */
const MAX_RESPONSE_HEADERS = 1000;

const common = createRequire(import.meta.url)('http-proxy/lib/http-proxy/common') as {
  setupOutgoing: (into: object, options: object, attempt: Attempt) => RequestOptions;
};
// The library's own function parses the target again, merges slashes, rewrites `http:/`, and copies the headers into an
// object, which joins repeated headers. It is replaced, because the options of an attempt are already final.
common.setupOutgoing = (_into, _options, attempt) => attempt.options;

/** Stands in for the client's request: the fields that http-proxy reads, and our callbacks. */
interface Attempt {
  readonly method: string;
  readonly options: RequestOptions;
  readonly socket: { readonly destroyed: boolean };
  /**
   * The library registers `aborted`, whose listener aborts the call to the upstream, and `error`, which never occurs
   * here.
   */
  readonly on: (event: string, listener: () => void) => void;
  readonly onRequestCreated: (request: ClientRequest) => void;
  readonly onResponse: (response: IncomingMessage) => void;
}

const LIVE_SOCKET = { destroyed: false };
const NOTHING_TO_ABORT = (): void => {};
/** With `selfHandleResponse` the library does not write the response. These are the only two fields that it reads. */
const NO_RESPONSE = { headersSent: false, finished: false } as unknown as ServerResponse;

export function createForwarder(target: ForwardTarget): Forwarder {
  const url = new URL(target.url);
  const secure = url.protocol === 'https:';
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  const agent = createUpstreamAgent(secure, hostname, target.maxSockets);
  const { protocol } = url;
  const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port);
  const proxy = httpProxy.createProxyServer({
    target: { protocol, host: hostname, port },
    selfHandleResponse: true,
  });
  // Keep only the pass that sends. Another one, `deleteLength`, removes the framing headers while the body is still
  // sent: the upstream would read that body as a second request (request smuggling).
  const passes = proxy as unknown as { webPasses: { name: string }[] };
  passes.webPasses = passes.webPasses.filter((pass) => pass.name === 'stream');
  proxy.on('proxyReq', (request, attempt) => (attempt as unknown as Attempt).onRequestCreated(request));
  proxy.on('proxyRes', (response, attempt) => (attempt as unknown as Attempt).onResponse(response));
  // Errors reach the callback of each call. The listener is for the case that one does not: without it, `emit` would
  // throw.
  proxy.on('error', () => {});

  function send(
    { method, path, headers, ...rest }: UpstreamRequest,
    deadline: Deadline,
    listener: CallListener,
  ): UpstreamCall {
    let { body } = rest;
    let settled = false;
    let reading: IncomingMessage | null = null;
    let abort = NOTHING_TO_ABORT;
    let latest: ClientRequest | null = null;
    let releaseTimer: NodeJS.Timeout | undefined;

    const settle = (): void => {
      settled = true;
      releaseBody();
    };
    // Released as soon as the call is settled. One second longer, and every long body is promoted to V8's old
    // generation, where only a full garbage collection frees it. Those collections cost more than the call itself.
    const releaseBody = (): void => {
      body = null;
      clearTimeout(releaseTimer);
    };

    const giveUp = (): void => {
      settle();
      reading = null;
      // The `aborted` listener of the library.
      abort();
      if (latest !== null && latest.socket === null) leaveQueue(agent, latest);
    };

    const fail = (fault: UpstreamFault, code: string | null = null): void => {
      if (settled) return;
      giveUp();
      listener.onFailure(fault, code);
    };

    // A response may take minutes. The request body is not needed for that long, only until a retry is ruled out.
    const onBodySent = (): void => {
      listener.onBodySent();
      if (!settled) releaseTimer = setTimeout(releaseBody, RETRY_WITHIN_MS).unref();
    };

    const startAttempt = (first: boolean): void => {
      let request: ClientRequest | null = null;
      let connecting = true;
      let gotSocketAt = 0;
      let bytesReadBefore = 0;

      const attempt: Attempt = {
        method,
        options: { protocol, hostname, port, agent, method, path, headers },
        socket: LIVE_SOCKET,
        on(event, listener) {
          if (event === 'aborted') abort = listener;
        },
        onRequestCreated(created) {
          request = created;
          if (body !== null && body.length > LONG_BYTES) created.once('finish', onBodySent);
          const socket = created.socket as Socket;
          gotSocketAt = performance.now();
          bytesReadBefore = socket.bytesRead;
          if (socket.connecting) {
            deadline.enter('connect', target.connectMs);
            socket.once(secure ? 'secureConnect' : 'connect', () => {
              connecting = false;
              if (!settled) deadline.enter('first-byte', target.firstByteMs);
            });
          } else {
            connecting = false;
            deadline.enter('first-byte', target.firstByteMs);
          }
          // An unsolicited `101 Switching Protocols` emits no `response` event, so the client would wait forever.
          created.once('upgrade', (_response, upgraded) => {
            upgraded.destroy();
            fail('invalid');
          });
        },
        onResponse(response) {
          // Without a listener an error in the body would be thrown. Whoever reads the body notices it by `close`.
          response.on('error', () => {});
          if (settled) {
            response.destroy();
            return;
          }
          if (!isRelayable(response)) {
            fail('invalid');
            return;
          }
          settle();
          reading = response;
          if (request?.writableFinished === false) endUnread(request, response);
          listener.onResponse(response);
        },
      };

      const retryOrFail = (error: NodeJS.ErrnoException): void => {
        if (reading?.complete === false && isMalformed(error)) listener.onMalformedBody(error.code!);
        if (settled) return;
        const reset = error.code === 'ECONNRESET' || error.code === 'EPIPE';
        // Node's `reusedSocket` is not set when a connection goes straight to a call that waited for it. Retry only if no
        // response byte was received: an upstream that began to answer has already done the work.
        const stale = reset && bytesReadBefore > 0 && request?.socket?.bytesRead === bytesReadBefore;
        if (first && stale && performance.now() - gotSocketAt < RETRY_WITHIN_MS) {
          listener.onRetry();
          // Whatever made this connection stale has most likely made all stale that are idle.
          closeIdle(agent);
          startAttempt(false);
          replace(agent, request!.socket!, latest!);
          return;
        }
        fail(faultOf(error, connecting), errorCode(error));
      };

      deadline.enter('queue', target.queueMs);
      try {
        // The library only calls `buffer.pipe(request)`. Calling `end` with the bytes sends head and body in one write,
        // and so does writing all pieces in one turn. A real stream would cost more than the rest of the call.
        const buffer = {
          pipe: (request: ClientRequest) => {
            latest = request;
            if (body !== null && 'pieces' in body) {
              for (const piece of body.pieces) request.write(piece);
              request.end();
            } else request.end(body ?? undefined);
          },
        };
        proxy.web(
          attempt as unknown as IncomingMessage,
          NO_RESPONSE,
          { buffer: buffer as unknown as Readable },
          retryOrFail,
        );
      } catch (error) {
        // Node refuses to write this head, for example because of a control character in a header.
        fail('invalid', errorCode(error));
      }
    };

    startAttempt(true);
    return { cancel: giveUp };
  }

  return {
    send,
    isFor: (other) => JSON.stringify(other) === JSON.stringify(target),
    retire: () => keepNoneAlive(agent),
    close: () => agent.destroy(),
  };
}

/** Ends the connection of a request whose response is complete while part of its body still waits to be read. */
function endUnread(request: ClientRequest, response: IncomingMessage): void {
  response.once('end', () => {
    if (request.writableFinished) return;
    const timer = setTimeout(() => request.destroy(), REST_MS).unref();
    request.once('close', () => clearTimeout(timer));
  });
}

/**
 * False for a response whose status, headers or body could not be passed on unchanged. Node undoes `chunked` alone: under
 * any other coding the bytes would reach the client without the header that says how to read them.
 */
function isRelayable({ statusCode = 0, rawHeaders, headers }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding'];
  return (
    statusCode >= 200 &&
    statusCode <= 599 &&
    rawHeaders.length < MAX_RESPONSE_HEADERS * 2 &&
    (coding === undefined || /^(?:chunked|identity)$/i.test(coding))
  );
}
