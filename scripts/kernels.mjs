// Compiles the loops that WebAssembly runs faster than JavaScript: node scripts/kernels.mjs FOLDER
//
// They are written in AssemblyScript, which is TypeScript with the machine's types; the compiler of the house does not read
// them, so they stand in a folder of their own.
import { main as compile } from 'assemblyscript/asc';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = 'kernel';

export async function compileKernels(to) {
  for (const file of readdirSync(FOLDER).filter((name) => name.endsWith('.ts'))) {
    const options = [
      join(FOLDER, file),
      ...['-O3', '--noAssert', '--enable', 'simd,bulk-memory'],
      // Nothing but what is written there: neither a heap nor a way to print.
      ...['--runtime', 'stub', '--use', 'abort=', '--initialMemory', '8'],
      ...['-o', join(to, `${basename(file, '.ts')}.wasm`)],
    ];
    const { error, stderr } = await compile(options);
    if (error !== null) throw new Error(`${file} does not compile: ${error.message}\n${stderr.toString()}`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await compileKernels(process.argv[2]);
