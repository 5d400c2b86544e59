import { resolve } from 'node:path';
import { isTable } from './table.ts';
import type { Sheet } from './sheet.ts';
import { readText } from '../read-text.ts';

const MAX_BYTES = 64 * 1024;

/** A setting whose value may be in a separate file, which is how Docker and Kubernetes provide secrets. */
export type SecretSetting = readonly [section: string, key: string];

/**
 * Replaces each `x_file` by `x` with the content of that file, so that later code does not depend on where a secret
 * came from.
 */
export function readSecretFiles(sheet: Sheet, folder: string, secrets: readonly SecretSetting[]): void {
  for (const [section, key] of secrets) {
    const holder = sheet.raw[section];
    const fileKey = `${key}_file`;
    if (!isTable(holder) || typeof holder[fileKey] !== 'string') continue;
    const path = [section, fileKey];
    const file = holder[fileKey];
    delete holder[fileKey];
    if (holder[key] !== undefined && holder[key] !== null) {
      sheet.complain(path, `give either ${key} or ${fileKey}, not both`);
      continue;
    }
    const read = readText(resolve(folder, file), MAX_BYTES);
    const secret = read.text?.trim() ?? '';
    if (read.text === null) sheet.complain(path, `${file}: ${read.problem}`);
    else if (secret === '') sheet.complain(path, `${file}: the file is empty`);
    else {
      holder[key] = secret;
      const location = sheet.at(path);
      sheet.note([section, key], { key: location, value: location });
    }
  }
}
