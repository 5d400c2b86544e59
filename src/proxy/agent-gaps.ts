/** What Node's agent leaves undone with the connections to an upstream, and with the requests that wait for one. */
import type { Agent, ClientRequest } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Closes idle connections on which the upstream speaks. Node would drop those bytes and use the connection again, and what
 * follows them would be read as the response to the next request.
 */
export function closeWhenUnasked(agent: Agent): void {
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
  const queues = agent.requests as unknown as Record<string, ClientRequest[]>;
  for (const [name, queue] of Object.entries(queues)) {
    const at = queue.indexOf(request);
    if (at === -1) continue;
    queue.splice(at, 1);
    // The agent takes the first request of every queue that there is.
    if (queue.length === 0) delete queues[name];
  }
}
