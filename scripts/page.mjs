// What all scripts share that make a file of the project from something else.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/**
 * Writes files, given as their texts by their names. With --check it only says which of them are not current, and how to
 * make them so.
 */
export function writeOrCheck(script, texts) {
  for (const [file, text] of Object.entries(texts)) {
    if (!process.argv.includes('--check')) writeFileSync(file, text);
    else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
      console.error(`${file} is not current: run node scripts/${script}.mjs`);
      process.exitCode = 1;
    }
  }
}
