import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The files of the console, read once at start. A request only looks up a name, and never joins a path with user
 * input.
 */

export interface PageFile {
  readonly status: 200;
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

const FOLDERS = ['page/', 'page/vendor/'].map((folder) => new URL(folder, import.meta.url));

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/**
 * The Content-Security-Policy: only resources of this server, nothing inline, no frames, and no form targets.
 * Injected markup cannot do anything.
 */
const POLICY = [
  "default-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
].join('; ');

const files = new Map<string, PageFile>();
for (const folder of FOLDERS) {
  for (const name of readdirSync(fileURLToPath(folder))) {
    const type = TYPES[name.slice(name.lastIndexOf('.') + 1)];
    if (type === undefined) continue;
    files.set(name, {
      status: 200,
      bytes: readFileSync(new URL(name, folder)),
      headers: {
        'Content-Type': type,
        'Content-Security-Policy': POLICY,
        'X-Frame-Options': 'DENY',
        'Cache-Control': 'no-cache',
        'Cross-Origin-Opener-Policy': 'same-origin',
      },
    });
  }
}

export function pageFile(name: string): PageFile | null {
  return files.get(name) ?? null;
}
