/**
 * Portkey's gateway, an open-source project that this one is compared with. It is fetched from the registry when the
 * benchmark runs and removed afterwards. It is not a dependency, and none of its code is included here.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Contestant } from './contestants.ts';
import { freePort, startProgram } from './native.ts';

const PACKAGE = '@portkey-ai/gateway';
/** Pinned: the figures are known for this version, and another may behave differently. */
const VERSION = '1.15.2';
const INSTALL_MS = 180_000;

export interface Portkey {
  readonly version: string;
  readonly contestants: Readonly<Record<'portkey' | 'portkey-guardrail', Contestant>>;
  readonly remove: () => void;
}

/** Returns a text with the reason when it cannot be fetched. */
export async function fetchPortkey(): Promise<Portkey | string> {
  const folder = mkdtempSync(join(tmpdir(), 'guard-bench-portkey-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  const problem = await install(folder);
  const program = join(folder, 'node_modules', PACKAGE, 'build', 'start-server.js');
  if (problem !== null || !existsSync(program)) {
    remove();
    return problem ?? `${PACKAGE}@${VERSION} has no server in it`;
  }
  const { version } = JSON.parse(readFileSync(join(folder, 'node_modules', PACKAGE, 'package.json'), 'utf8')) as {
    version: string;
  };
  return { version, contestants: contestantsOf(program, version), remove };
}

/** Installs without install scripts: the package is run as a contestant only, and none of its code before. */
function install(folder: string): Promise<string | null> {
  const args = ['install', '--no-fund', '--no-audit', '--ignore-scripts', '--loglevel=error', `${PACKAGE}@${VERSION}`];
  return new Promise((resolve) => {
    const child = spawn('npm', args, { cwd: folder, stdio: 'ignore', timeout: INSTALL_MS });
    child.once('error', () => resolve('npm does not start'));
    child.once('exit', (code) => resolve(code === 0 ? null : `npm could not install ${PACKAGE}@${VERSION}`));
  });
}

/** One pattern, written as its manual describes a guardrail: a match is refused. It reads the last message only. */
const GUARDRAIL = {
  'default.regexMatch': { rule: '(?:[Ii]gnore|[Dd]isregard) (?:all )?(?:the )?previous instructions', not: true },
  deny: true,
};

function contestantsOf(program: string, version: string): Portkey['contestants'] {
  const start = async (): ReturnType<Contestant['start']> => {
    const port = await freePort();
    return startProgram(process.execPath, [program, `--port=${port}`, '--headless'], port);
  };
  const common = { prefix: '', answer: 'meaning', missing: () => null, start } as const;
  const upstreamAt = (port: number): string => `http://127.0.0.1:${port}/v1`;
  return {
    portkey: {
      ...common,
      says: `Portkey's gateway ${version}`,
      scans: null,
      headers: (port) => [
        ['x-portkey-provider', 'openai'],
        ['x-portkey-custom-host', upstreamAt(port)],
      ],
    },
    'portkey-guardrail': {
      ...common,
      says: `Portkey's gateway ${version}, one regex guardrail`,
      scans: 'portkey',
      headers: (port) => {
        const config = { provider: 'openai', api_key: 'bench', custom_host: upstreamAt(port) };
        return [['x-portkey-config', JSON.stringify({ ...config, input_guardrails: [GUARDRAIL] })]];
      },
    },
  };
}
