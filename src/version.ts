import { readFileSync } from 'node:fs';

/**
 * Read from package.json, so that the reported version is the released one. The path is relative to the compiled
 * file, dist/src/version.js.
 */
export const VERSION = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version;
