import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Problem } from '../domain/signature.ts';
import { createLikeness } from './score.ts';
import type { Likeness } from './score.ts';
import { readWeights } from './weights.ts';

const SHIPPED = fileURLToPath(new URL('./weights.bin', import.meta.url));

/** The statistical scanner, or why there is none. Read once per thread; nothing that is not proven whole is used. */
export function loadLikeness(file = SHIPPED): { readonly likeness: Likeness } | { readonly problem: Problem } {
  const bad = (message: string) => ({ problem: { file, line: 0, column: 0, path: 'scanner.likeness', message } });
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch {
    return bad('cannot be read: the statistical scanner has no weights; install again, or set scanner.likeness: false');
  }
  const weights = readWeights(bytes);
  return typeof weights === 'string'
    ? bad(`${weights}; install again, or set scanner.likeness: false`)
    : { likeness: createLikeness(weights) };
}
