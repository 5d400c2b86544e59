/**
 * Loads the WebAssembly kernels that scripts/kernels.mjs compiles from kernel/. A kernel is a loop over every
 * character of a text, sixteen at a time with SIMD, which JavaScript cannot express. Only the scanning threads use
 * this module.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface Memory {
  readonly buffer: ArrayBuffer;
  /** Grows by that many pages. This detaches `buffer`, so every view of it has to be created again. */
  readonly grow: (pages: number) => number;
}

/**
 * An exported WebAssembly global: an offset in the memory of the kernel, or another number that the kernel publishes.
 */
export interface KernelGlobal {
  readonly value: number;
}

export const PAGE = 65_536;
/**
 * A kernel reads its input in blocks of this many characters and reads the last block whole. So the caller appends
 * this many characters of padding to the input.
 */
export const STRIDE = 64;

/** The parts of the API that are used here. TypeScript types WebAssembly only in its DOM library. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (compiled: object) => { readonly exports: unknown };
};

/**
 * Returns a factory of kernel instances. Each instance has a memory of its own, which is freed by garbage collection.
 */
export function kernelOf<Exports extends { readonly memory: Memory }>(
  name: 'spot' | 'fours' | 'framed' | 'likeness',
): () => Exports {
  const file = fileURLToPath(new URL(`./kernels/${name}.wasm`, import.meta.url));
  const compiled = new WebAssembly.Module(readFileSync(file));
  return () => new WebAssembly.Instance(compiled).exports as Exports;
}
