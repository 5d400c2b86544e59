import { dirname, resolve as resolvePath } from 'node:path';
import * as z from 'zod';
import { LOG_LEVELS } from '../domain/log-level.ts';
import { FLEET_SCOPES } from '../domain/scope.ts';
import type { Problem } from '../domain/problem.ts';
import { accessKey, clashesOf } from './access-key.ts';
import { complaintsOf } from './complaint.ts';
import { kinds, network, publicKey, storeUrl, text, textThat, whole } from './kinds.ts';
import { createSheet } from './sheet.ts';
import { readText } from '../read-text.ts';
import { readYaml } from './read-yaml.ts';
import { readSecretFiles } from './secret-files.ts';

/**
 * The configuration of `guard control-plane`. It is a separate file, read with the same checks as that of the proxy.
 */

const key = accessKey(
  FLEET_SCOPES,
  'What the key opens: `check` POST /check, `fleet` the calls of instances, `admin` the rest.',
  '`sha256sum`',
);

const schema = z.strictObject({
  server: z
    .strictObject({
      host: text(253, 'an address or host name to listen on').default('127.0.0.1'),
      port: whole(0, 65_535).default(9902),
      max_connections: whole(1, 1_000_000).default(20_000),
      trusted_proxies: z.array(network()).max(256).default([]),
    })
    .prefault({}),
  storage: z
    .strictObject({
      /** `embedded`, or the address of a PostgreSQL database that several servers may share. */
      url: textThat(isDatabase, 'embedded, or postgres://user:password@host:port/database')
        .register(kinds, { expects: 'embedded or a postgres:// URL', secret: 'password' })
        .default('embedded'),
      url_file: text(4096, 'a file').optional(),
      folder: text(4096, 'a folder').default('guard-control-plane'),
      connections: whole(1, 100).default(6),
    })
    .prefault({}),
  keys: z.array(key).max(1000).default([]),
  trusted_keys: z.array(publicKey()).max(16).default([]),
  fleet: z
    .strictObject({
      heartbeat_s: whole(1, 3600).default(30),
      max_instances: whole(1, 1_000_000).default(50_000),
      forget_days: whole(1, 3650).default(30),
    })
    .prefault({}),
  rollout: z
    .strictObject({
      halt_refusals: whole(1, 1_000_000).default(1),
      halt_block_rise: z.number().min(0).max(1).default(0.02),
      halt_min_requests: whole(1, 1_000_000_000).default(200),
    })
    .prefault({}),
  analytics: z.strictObject({ retention_days: whole(1, 3650).default(90) }).prefault({}),
  check: z
    .strictObject({
      enabled: z.boolean().default(true),
      threads: whole(1, 64).default(1),
      points: whole(0, 1_000_000_000).default(600),
      per_s: whole(1, 86_400).default(60),
      store: storeUrl().register(kinds, { expects: 'memory or a redis:// URL', secret: 'password' }).default('memory'),
      max_bytes: whole(1024, 1_073_741_824).default(1_048_576),
    })
    .prefault({}),
  logging: z.strictObject({ level: z.enum(LOG_LEVELS).default('info') }).prefault({}),
});

export type ControlPlaneConfig = z.output<typeof schema>;

export type LoadedControlPlane =
  | { readonly config: ControlPlaneConfig; readonly problems: readonly [] }
  | { readonly config: null; readonly problems: readonly Problem[] };

const MAX_BYTES = 1_048_576;
const SECRETS = [['storage', 'url']] as const;

export function loadControlPlane(file: string | undefined, env: NodeJS.ProcessEnv): LoadedControlPlane {
  if (file === undefined) return parseControlPlane('{}', 'defaults', env);
  const read = readText(file, MAX_BYTES);
  if (read.text !== null) return parseControlPlane(read.text, file, env);
  return { config: null, problems: [{ file, line: 0, column: 0, path: '', message: read.problem }] };
}

export function parseControlPlane(source: string, file: string, env: NodeJS.ProcessEnv): LoadedControlPlane {
  const sheet = createSheet(file);
  const folder = file === 'defaults' ? process.cwd() : dirname(resolvePath(file));
  if (readYaml(source, file, env, sheet, schema) === null) return { config: null, problems: sheet.problems };
  readSecretFiles(sheet, folder, SECRETS);
  const result = z.safeParse(schema, { ...sheet.raw }, { reportInput: true });
  if (!result.success) {
    for (const issue of result.error.issues)
      for (const { path, message } of complaintsOf(schema, issue as z.core.$ZodIssue)) sheet.complain(path, message);
  }
  for (const { path, message } of clashesOf(result.data?.keys ?? [])) sheet.complain(['keys', ...path], message);
  if (!result.success || sheet.problems.length > 0) return { config: null, problems: sheet.problems };
  const { data } = result;
  const storage = { ...data.storage, folder: resolvePath(folder, data.storage.folder) };
  return { config: { ...data, storage }, problems: [] };
}

function isDatabase(value: string): boolean {
  if (value === 'embedded') return true;
  return /^postgres(?:ql)?:\/\/[^\s]+$/.test(value) && URL.canParse(value);
}
