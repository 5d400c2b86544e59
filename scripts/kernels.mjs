// Compiles the loops that WebAssembly runs faster than JavaScript: node scripts/kernels.mjs FOLDER
//
// They are written in AssemblyScript, which is TypeScript with the machine's types; the compiler of the house does not read
// them, so they stand in a folder of their own.
import { main as compile } from 'assemblyscript/asc';
import { mkdirSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = 'kernel';
/** Nothing is in what comes out but what is written there: neither a heap nor a way to print. */
const OPTIONS = '-O3 --noAssert --enable simd,bulk-memory --runtime stub --use abort= --initialMemory 16'.split(' ');

export async function compileKernels(to) {
  mkdirSync(to, { recursive: true });
  for (const file of readdirSync(FOLDER).filter((name) => name.endsWith('.ts'))) {
    const made = join(to, `${basename(file, '.ts')}.wasm`);
    const { error, stderr } = await compile([...OPTIONS, join(FOLDER, file), '-o', made]);
    if (error !== null) throw new Error(`${file} does not compile: ${error.message}\n${stderr.toString()}`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await compileKernels(process.argv[2]);
