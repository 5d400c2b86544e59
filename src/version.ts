import { readFileSync } from 'node:fs';

/** From the package itself, so that what is reported is what was released. Two places: beside dist/, and beside src/. */
export const VERSION = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version;
