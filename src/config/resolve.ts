import { availableParallelism } from 'node:os';
import { resolve as resolvePath } from 'node:path';
import { canonicalAddress } from '../domain/address.ts';
import { ROLES } from '../domain/passage.ts';
import { CATEGORIES, milder } from '../domain/verdict.ts';
import type { Action, Category } from '../domain/verdict.ts';
import type { Config, EnforcedPolicy, FullPolicy, UpstreamConfig } from './config.ts';
import type { Typed } from './schema.ts';

/**
 * Turns validated input into the resolved configuration. It cannot fail: everything that can be wrong was reported
 * before.
 */
export function resolve(typed: Typed, folder: string): Config {
  const { store } = typed.rate_limit;
  const { api_key_file: _file, ...plane } = typed.control_plane;
  const upstreams = Object.create(null) as Record<string, UpstreamConfig>;
  for (const [name, upstream] of Object.entries(typed.upstreams)) {
    upstreams[name] = { ...upstream, policy: enforced(merged(typed.policy, upstream.policy)) };
  }
  const { response } = typed.scanner;
  return sealed({
    ...typed,
    upstreams,
    policy: enforced(typed.policy),
    scanner: {
      ...typed.scanner,
      threads:
        typed.scanner.threads === 'auto' ? Math.min(availableParallelism(), MAX_AUTO_THREADS) : typed.scanner.threads,
      response: { ...response, categories: response.categories.length === 0 ? [...CATEGORIES] : response.categories },
    },
    signatures: { ...typed.signatures, paths: typed.signatures.paths.map((path) => resolvePath(folder, path)) },
    auth: { keys: typed.auth.keys.map((key) => ({ ...key, sha256: key.sha256.toLowerCase() })) },
    rate_limit: { check: typed.rate_limit.check, store },
    control_plane: { ...plane, folder: plane.folder === null ? null : resolvePath(folder, plane.folder) },
  });
}

/** One main thread cannot feed more than about eight scanning threads. Beyond that, more instances scale better. */
const MAX_AUTO_THREADS = 8;

type TypedPolicy = Typed['policy'];
type Overrides = Typed['upstreams'][string]['policy'];

/**
 * Merges overrides into a policy before defaults are resolved: an upstream's `default_action` must reach every
 * category that has no action of its own.
 */
function merged(base: TypedPolicy, over: Overrides): TypedPolicy {
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

function enforced(typed: TypedPolicy): EnforcedPolicy {
  const shadow = typed.shadow === null ? null : full(merged(typed, typed.shadow));
  return { ...full(typed), shadow };
}

function full(typed: TypedPolicy): FullPolicy {
  const categories = Object.fromEntries(
    CATEGORIES.map((name) => {
      const said = typed.categories[name] ?? {};
      const action = said.action ?? defaultAction(name, typed.default_action);
      // A secret in a prompt is its author's business, while the same secret in a response is a leak. Searching for
      // it costs every request.
      const requestAction = said.request_action ?? (name === 'sensitive-data' ? 'allow' : action);
      return [name, { action, request_action: requestAction, sensitivity: said.sensitivity ?? typed.sensitivity }];
    }),
  ) as FullPolicy['categories'];
  const roles = Object.fromEntries(ROLES.map((role) => [role, typed.roles[role]])) as FullPolicy['roles'];
  const exclusions = typed.exclusions.map((exclusion) => {
    const { client } = exclusion;
    return client === undefined ? exclusion : { ...exclusion, client: canonicalAddress(client) };
  });
  return { sensitivity: typed.sensitivity, default_action: typed.default_action, categories, roles, exclusions };
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
