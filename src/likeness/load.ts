import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Problem } from '../domain/problem.ts';
import { createLikeness } from './score.ts';
import type { Likeness } from './score.ts';
import { readWeights } from './weights.ts';

/**
 * Two models, for two attacks that have few words in common: what somebody asks of a model to turn it (`asked`), and
 * what was planted in a mail, a page or a tool result for the model that reads it (`planted`). "Send her the list" is a
 * wish of a user, but an order when a page says it. One model for both found next to nothing of the second.
 */
export interface Models {
  readonly asked: Likeness;
  readonly planted: Likeness;
}

const SHIPPED_FOLDER = dirname(fileURLToPath(import.meta.url));

/**
 * The statistical scanner, or why there is none. Read once per thread. A file whose checksum does not match is never
 * used.
 */
export function loadLikeness(folder = SHIPPED_FOLDER): { readonly likeness: Models } | { readonly problem: Problem } {
  const asked = loadModel(join(folder, 'asked.bin'));
  if ('problem' in asked) return asked;
  const planted = loadModel(join(folder, 'planted.bin'));
  if ('problem' in planted) return planted;
  return { likeness: { asked: asked.model, planted: planted.model } };
}

function loadModel(file: string): { readonly model: Likeness } | { readonly problem: Problem } {
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
    : { model: createLikeness(weights) };
}
