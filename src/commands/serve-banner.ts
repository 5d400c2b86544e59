import { styleText } from 'node:util';
import type { Config } from '../config/config.ts';
import type { Service } from '../service.ts';
import { VERSION } from '../version.ts';

/** What `guard serve` says once it listens. */

/** Prints a banner on a terminal, and writes a log line otherwise. */
export function announce(service: Service, config: Config, file: string): void {
  const base = baseUrlOf(service);
  if (!process.stdout.isTTY) {
    const { host, port } = service.address;
    service.log.event('info', 'listening', {
      address: `${host}:${port}`,
      upstreams: Object.keys(config.upstreams),
      signatures: service.signatureCount(),
      threads: config.scanner.threads,
      version: VERSION,
      node: process.version,
      file,
    });
    return;
  }
  const bold = (text: string): string => styleText('bold', text);
  const faint = (text: string): string => styleText('dim', text);
  const width = Math.max(...Object.keys(config.upstreams).map((name) => name.length), 1);
  const lines = [
    `${bold('guard')} ${VERSION}  ${base}`,
    ...Object.entries(config.upstreams).map(
      ([name, { url }]) => `  ${base}/${name.padEnd(width)}  ${faint('->')}  ${url}`,
    ),
    faint(
      config.scanner.enabled
        ? `  ${service.signatureCount()} signatures, ${config.scanner.threads} threads, failure mode ${config.security.failure_mode}, ${file}`
        : `  scanning is switched off, ${file}`,
    ),
  ];
  console.log(lines.join('\n'));
}

export function baseUrlOf({ address: { host, port } }: Service): string {
  const shown = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${shown}:${port}`;
}
