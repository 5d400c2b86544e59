/**
 * The one door to the loops of kernel/, which scripts/kernels.mjs compiles to WebAssembly: passes over every character of a text,
 * sixteen at a time, for which JavaScript has no words. Only the scanning threads come here.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface Memory {
  readonly buffer: ArrayBuffer;
  /** By so many pages; whoever looks into it has to look anew. */
  readonly grow: (pages: number) => number;
}

/** A place in its memory, or another number that it tells. */
export interface Told {
  readonly value: number;
}

export const PAGE = 65_536;
/** What a pass reads in a row, whatever is asked of it: behind the characters it was given, others have to stand. */
export const STRIDE = 64;

/** What of it is used here: the compiler knows it only together with all of the browser. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (compiled: object) => { readonly exports: unknown };
};

/** Makes kernels, each with a memory of its own, which goes when nobody asks it any more. */
export function kernelOf<Exports extends { readonly memory: Memory }>(
  name: 'spot' | 'fours' | 'framed' | 'likeness',
): () => Exports {
  const file = fileURLToPath(new URL(`./kernels/${name}.wasm`, import.meta.url));
  const compiled = new WebAssembly.Module(readFileSync(file));
  return () => new WebAssembly.Instance(compiled).exports as Exports;
}
