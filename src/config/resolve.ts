import { availableParallelism } from 'node:os';
import { resolve as resolvePath } from 'node:path';
import { canonicalAddress } from '../domain/address.ts';
import { ROLES } from '../domain/passage.ts';
import { CATEGORIES, milder } from '../domain/verdict.ts';
import type { Action, Category } from '../domain/verdict.ts';
import type { Config, EnforcedPolicy, FullPolicy, UpstreamConfig } from './config.ts';
import type { Settings } from './schema.ts';

/**
 * Turns validated input into the resolved configuration. It cannot fail: everything that can be wrong was reported
 * before.
 */
export function resolve(settings: Settings, folder: string): Config {
  const { store } = settings.rate_limit;
  const { api_key_file: _file, ...plane } = settings.control_plane;
  const upstreams = Object.create(null) as Record<string, UpstreamConfig>;
  for (const [name, upstream] of Object.entries(settings.upstreams)) {
    upstreams[name] = { ...upstream, policy: enforced(merged(settings.policy, upstream.policy)) };
  }
  const { response } = settings.scanner;
  return sealed({
    ...settings,
    upstreams,
    policy: enforced(settings.policy),
    scanner: {
      ...settings.scanner,
      threads:
        settings.scanner.threads === 'auto'
          ? Math.min(Math.max(availableParallelism(), MIN_AUTO_THREADS), MAX_AUTO_THREADS)
          : settings.scanner.threads,
      response: { ...response, categories: response.categories.length === 0 ? [...CATEGORIES] : response.categories },
    },
    signatures: { ...settings.signatures, paths: settings.signatures.paths.map((path) => resolvePath(folder, path)) },
    auth: { keys: settings.auth.keys.map((key) => ({ ...key, sha256: key.sha256.toLowerCase() })) },
    rate_limit: { check: settings.rate_limit.check, store },
    control_plane: { ...plane, folder: plane.folder === null ? null : resolvePath(folder, plane.folder) },
  });
}

/** With a single thread, one slow body keeps all others waiting. On one core, the system shares the core among two. */
const MIN_AUTO_THREADS = 2;
/** One main thread cannot feed more than about eight scanning threads. Beyond that, more instances scale better. */
const MAX_AUTO_THREADS = 8;

type PolicySettings = Settings['policy'];
type Overrides = Settings['upstreams'][string]['policy'];

/**
 * Merges overrides into a policy before defaults are resolved: an upstream's `default_action` must reach every
 * category that has no action of its own.
 */
function merged(base: PolicySettings, over: Overrides): PolicySettings {
  const categories = { ...base.categories };
  for (const name of CATEGORIES) {
    if (over.categories?.[name] !== undefined) categories[name] = { ...categories[name], ...over.categories[name] };
  }
  return {
    sensitivity: over.sensitivity ?? base.sensitivity,
    default_action: over.default_action ?? base.default_action,
    categories,
    roles: { ...base.roles, ...present(over.roles ?? {}) },
    exclusions: over.exclusions ?? base.exclusions,
    shadow: over.shadow === undefined ? base.shadow : over.shadow,
  };
}

function enforced(settings: PolicySettings): EnforcedPolicy {
  const shadow = settings.shadow === null ? null : full(merged(settings, settings.shadow));
  return { ...full(settings), shadow };
}

function full(settings: PolicySettings): FullPolicy {
  const categories = Object.fromEntries(
    CATEGORIES.map((name) => {
      const said = settings.categories[name] ?? {};
      const action = said.action ?? defaultAction(name, settings.default_action);
      // A secret in a prompt is its author's business, while the same secret in a response is a leak. Searching for
      // it costs every request.
      const requestAction = said.request_action ?? (name === 'sensitive-data' ? 'allow' : action);
      return [name, { action, request_action: requestAction, sensitivity: said.sensitivity ?? settings.sensitivity }];
    }),
  ) as FullPolicy['categories'];
  const roles = Object.fromEntries(ROLES.map((role) => [role, settings.roles[role]])) as FullPolicy['roles'];
  const exclusions = settings.exclusions.map((exclusion) => {
    const { client } = exclusion;
    return client === undefined ? exclusion : { ...exclusion, client: canonicalAddress(client) };
  });
  return { sensitivity: settings.sensitivity, default_action: settings.default_action, categories, roles, exclusions };
}

/** Encoded text is often legitimate, so on its own it causes a warning at most. */
function defaultAction(name: Category, otherwise: Action): Action {
  return name === 'encoding-evasion' ? milder('warn', otherwise) : otherwise;
}

/** The object without its undefined values. */
function present<Value extends object>(value: Value): { [Key in keyof Value]: NonNullable<Value[Key]> } {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as {
    [Key in keyof Value]: NonNullable<Value[Key]>;
  };
}

/**
 * Freezes a configuration deeply: it is replaced as a whole and never changed while an exchange uses it. The schema
 * bounds the recursion.
 */
function sealed<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const each of Object.values(value)) sealed(each);
  }
  return value;
}
