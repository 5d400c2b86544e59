import type { Config } from './config.ts';

/** Keys of `server` that a reload applies, too. All its others belong to the listener, which is opened once. */
const LIVE: ReadonlySet<string> = new Set([
  'trusted_proxies',
  'shutdown_delay_ms',
  'shutdown_timeout_ms',
  'write_stall_ms',
]);

/**
 * The changed keys that only a restart applies. The listener and the links to the control plane and the console are
 * opened once.
 */
export function onlyAtStart(before: Config, after: Config): string[] {
  const keys: string[] = [];
  for (const key of Object.keys(after.server) as (keyof Config['server'])[]) {
    if (!LIVE.has(key) && after.server[key] !== before.server[key]) keys.push(`server.${key}`);
  }
  for (const key of ['control_plane', 'admin'] as const)
    if (JSON.stringify(after[key]) !== JSON.stringify(before[key])) keys.push(key);
  return keys;
}
