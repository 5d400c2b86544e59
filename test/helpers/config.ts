/** Configuration text in, and either what it means or what is wrong with it, in the form that people read. */
import { formatProblem } from '../../src/domain/problem.ts';
import assert from 'node:assert/strict';
import type { Config } from '../../src/config/config.ts';
import { parseConfig } from '../../src/config/load.ts';

export interface From {
  readonly env?: NodeJS.ProcessEnv;
  readonly flags?: Readonly<Record<string, string>>;
  readonly file?: string;
}

export function problemsOf(text: string, { env = {}, flags = {}, file = 'c.yaml' }: From = {}): string[] {
  return parseConfig(text, { file, env, flags }).problems.map(formatProblem);
}

export function warningsOf(text: string, { env = {}, flags = {}, file = 'c.yaml' }: From = {}): string[] {
  return parseConfig(text, { file, env, flags }).warnings.map(formatProblem);
}

export function configOf(text: string, from: From = {}): Config {
  const { env = {}, flags = {}, file = 'c.yaml' } = from;
  const { config, problems } = parseConfig(text, { file, env, flags });
  assert.ok(config !== null, problems.map(formatProblem).join('\n'));
  return config;
}
