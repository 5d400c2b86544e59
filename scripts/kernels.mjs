// Compiles the kernels (loops that WebAssembly runs faster than JavaScript): node scripts/kernels.mjs FOLDER
//
// They are written in AssemblyScript, which is TypeScript with machine types. The TypeScript compiler cannot check
// them, so they are in a folder of their own.
import { main as compile } from 'assemblyscript/asc';
import { mkdirSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = 'kernel';
/** The output contains only the code of the kernels: no heap management and no output functions. */
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
