/** A program run by a user who owns nothing, as in a container with a read-only root. */
import assert from 'node:assert/strict';
import { run, start, type Program } from './processes.ts';

const UID = 65_532;
/** Only root may become somebody else; anybody else stays who he is, and the trees are root's or read-only. */
const BECOME =
  process.getuid?.() === 0
    ? ['setpriv', `--reuid=${UID}`, `--regid=${UID}`, '--clear-groups', '--no-new-privs', '--bounding-set=-all', '--']
    : [];

export function startAsNobody(args: readonly string[], env: Readonly<Record<string, string>> = {}): Program {
  const [command, ...rest] = [...BECOME, process.execPath, ...args];
  return start(command!, rest, { HOME: '/nonexistent', ...env });
}

export function runAsNobody(args: readonly string[]): { status: number | null; output: string } {
  const [command, ...rest] = [...BECOME, process.execPath, ...args];
  return run(command!, rest, { env: { HOME: '/nonexistent' } });
}

export function tryToWrite(path: string): boolean {
  const { output } = runAsNobody([
    '-e',
    `try { require('fs').writeFileSync(${JSON.stringify(path)}, ''); console.log('written') } catch { console.log('refused') }`,
  ]);
  assert.match(output, /written|refused/);
  return output.includes('written');
}

/** One call through the proxy, whole and byte by byte the upstream's. */
export async function callThrough(base: string): Promise<void> {
  const response = await fetch(`${base}/llm-a/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'demo', messages: [{ role: 'user', content: 'What is the capital of France?' }] }),
  });
  assert.equal(response.status, 200);
  const answer = (await response.json()) as { choices: { message: { content: string } }[] };
  assert.ok(answer.choices[0]!.message.content.length > 0);
}
