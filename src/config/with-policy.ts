import * as z from 'zod';
import type { Problem } from '../domain/problem.ts';
import { disagreements } from './agreement.ts';
import { complaintsOf } from './complaint.ts';
import type { Config } from './config.ts';
import { policy } from './policy-schema.ts';
import { resolve } from './resolve.ts';
import type { Settings } from './schema.ts';
import { pathText } from './shape.ts';

/**
 * Applies a policy from the control plane to a configuration that was read from a file. Upstreams override the policy
 * key by key, and that merge has to be repeated on the input before its defaults were resolved. So this input is
 * remembered for each configuration.
 */

interface Origin {
  readonly settings: Settings;
  readonly folder: string;
}

const origins = new WeakMap<Config, Origin>();

/** Keeps the input from which a configuration was resolved. */
export function remember(config: Config, origin: Origin): void {
  origins.set(config, origin);
}

/** The settings as they were written, before upstreams took over what they leave to the policy. */
export function settingsOf(config: Config): Settings | null {
  return origins.get(config)?.settings ?? null;
}

export type Overlaid =
  | { readonly config: Config; readonly problems: readonly [] }
  | { readonly config: null; readonly problems: readonly Problem[] };

/** The configuration with `given` in place of its policy. */
export function withPolicy(config: Config, given: unknown): Overlaid {
  const origin = origins.get(config);
  if (origin === undefined) return refused([problem([], 'cannot be laid over a configuration that was not read')]);
  const problems = policyProblems(given);
  if (problems.length > 0) return refused(problems);
  const settings: Settings = { ...origin.settings, policy: policy.parse(given) };
  const disagreeing = disagreements({ policy: settings.policy, upstreams: settings.upstreams });
  if (disagreeing.length > 0) return refused(disagreeing.map(({ path, message }) => problem(path, message)));
  const overlaid = resolve(settings, origin.folder);
  remember(overlaid, { ...origin, settings });
  return { config: overlaid, problems: [] };
}

/** The problems of a policy by itself. Whether the upstreams that it names exist is known only where it is applied. */
export function policyProblems(given: unknown): readonly Problem[] {
  const result = z.safeParse(policy, given, { reportInput: true });
  if (result.success) return [];
  return result.error.issues
    .flatMap((issue) => complaintsOf(policy, issue as z.core.$ZodIssue))
    .slice(0, MOST_PROBLEMS)
    .map(({ path, message }) => problem(['policy', ...path], message));
}

const MOST_PROBLEMS = 20;

function problem(path: readonly PropertyKey[], message: string): Problem {
  return { file: 'policy of the fleet', line: 0, column: 0, path: pathText(path), message };
}

function refused(problems: readonly Problem[]): Overlaid {
  return { config: null, problems };
}
