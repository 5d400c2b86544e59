import type { Guard } from './guard.ts';

/** The status that POST /check answers a client at this address, which a trusted proxy names. */
export async function checkedAs(guard: Guard, client: string): Promise<number> {
  const response = await fetch(`${guard.url}/check`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': client },
    body: '{"text":"hello"}',
  });
  await response.arrayBuffer();
  return response.status;
}
