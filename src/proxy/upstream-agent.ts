/** The connections to an upstream, and what Node's agent leaves undone with them and with requests that wait for one. */
import http, { type Agent, type ClientRequest } from 'node:http';
import https from 'node:https';
import { isIP, type Socket } from 'node:net';

/**
 * Shorter than the idle timeout of any upstream, so that a request is rarely written to a socket that is being closed.
 */
const IDLE_SOCKET_MS = 4000;

export function createUpstreamAgent(secure: boolean, hostname: string, maxSockets: number): Agent {
  const options = {
    keepAlive: true,
    maxSockets,
    maxFreeSockets: Math.min(maxSockets, 256),
    timeout: IDLE_SOCKET_MS,
    scheduling: 'lifo',
  } as const;
  // `servername` is fixed here. Otherwise the client's Host header would become the TLS server name (SNI).
  const agent = secure
    ? new https.Agent({ ...options, servername: isIP(hostname) === 0 ? hostname : '' })
    : // Without TLS it is unused, but unless it is set the agent derives it from a header on every call.
      new http.Agent({ ...options, servername: '' } as http.AgentOptions);
  closeWhenUnasked(agent);
  return agent;
}

/** Closes the idle connections, and each of the others as soon as its call has ended. */
export function keepNoneAlive(agent: Agent): void {
  (agent as unknown as { keepAlive: boolean }).keepAlive = false;
  closeIdle(agent);
}

export function closeIdle(agent: Agent): void {
  // A copy: a connection that is dropped leaves its list.
  for (const socket of Object.values(agent.freeSockets).flat()) drop(socket!);
}

/**
 * Closes a connection. The agent would hear of it later, and then open one for a call that waits, even where others have
 * taken the place meanwhile.
 */
function drop(socket: Socket): void {
  socket.destroy();
  socket.emit('agentRemove');
}

/**
 * Closes idle connections on which the upstream speaks. Node would drop those bytes and use the connection again, and what
 * follows them would be read as the response to the next request.
 */
function closeWhenUnasked(agent: Agent): void {
  const { keepSocketAlive, reuseSocket } = agent as unknown as AgentHooks;
  Object.assign(agent, {
    keepSocketAlive(socket) {
      const isKept = keepSocketAlive.call(agent, socket);
      if (isKept) socket.on('data', closeSocket);
      return isKept;
    },
    reuseSocket(socket, request) {
      socket.off('data', closeSocket);
      reuseSocket.call(agent, socket, request);
    },
  } satisfies AgentHooks);
}

/** What the agent calls when it puts a connection aside and when it takes it up again. */
interface AgentHooks {
  keepSocketAlive(socket: Socket): boolean;
  reuseSocket(socket: Socket, request: ClientRequest): void;
}

function closeSocket(this: Socket): void {
  this.destroy();
}

/**
 * Takes a request that waits for a connection out of the queue. The agent would keep one that was aborted, with its body,
 * until a connection is free for it.
 */
export function leaveQueue(agent: Agent, request: ClientRequest): void {
  const queues = queuesOf(agent);
  for (const [name, queue] of Object.entries(queues)) {
    const at = queue.indexOf(request);
    if (at === -1) continue;
    queue.splice(at, 1);
    // The agent takes the first request of every queue that there is.
    if (queue.length === 0) delete queues[name];
  }
}

/**
 * Closes a stale connection. If the request waits for one, because no more are allowed, the new one in its place is for
 * that request, before all others that wait.
 */
export function replace(agent: Agent, stale: Socket, request: ClientRequest): void {
  for (const queue of Object.values(queuesOf(agent))) {
    const at = queue.indexOf(request);
    if (at > 0) queue.unshift(...queue.splice(at, 1));
  }
  drop(stale);
}

function queuesOf(agent: Agent): Record<string, ClientRequest[]> {
  return agent.requests as unknown as Record<string, ClientRequest[]>;
}
