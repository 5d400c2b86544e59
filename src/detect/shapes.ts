import { isAscii } from 'node:buffer';
import type { Decoder } from '../text/decoders/decoder.ts';
import { SHAPES_TOGETHER, type Together } from '../text/decoders/shapes-together.ts';
import { createSets, type Sets } from './engine/sets.ts';
import { windows } from './engine/windows.ts';

/** What a search for shapes needs: the decoders, and the expressions of their shapes. */
export interface ShapeSearch {
  readonly decoders: readonly Decoder[];
  /**
   * Indices of the decoders whose `shape` occurs in the bytes. Decoders with a `hint` go by that and are not listed.
   */
  readonly shapesIn: (bytes: Buffer) => number[];
}

/**
 * Finds the decoders that have something to do in a text, by their shapes. Shapes have sets of their own: together with
 * the signatures, their counters multiply the engine's states (measured: a fifth of the speed). Null when the engine
 * refuses a shape.
 */
export function shapesFinder(decoders: readonly Decoder[]): ((bytes: Buffer) => number[]) | null {
  const searches: Search[] = [];
  for (const together of [...SHAPES_TOGETHER, { decoders: decoders.filter(isAlone) }]) {
    const search = searchFor(decoders, together);
    if (search === null) return null;
    if (search.owners.length > 0) searches.push(search);
  }
  return (bytes) => {
    const found = new Set<number>();
    let isPlain: boolean | null = null;
    for (const { sets, owners, beyondAscii } of searches) {
      if (beyondAscii && (isPlain ??= isAscii(bytes))) continue;
      sets.match(bytes, (shape) => {
        for (const owner of owners[shape] as number[]) found.add(owner);
      });
    }
    return [...found];
  };
}

interface Search {
  readonly sets: Sets;
  /** For each shape of the sets, the indices of the decoders that have it. */
  readonly owners: readonly (readonly number[])[];
  readonly beyondAscii: boolean;
}

/** Six of these are what one set of all shapes may take. */
const MEMORY_OF_SHAPES = 10 * 1024 * 1024;

const LISTED = new Set(SHAPES_TOGETHER.flatMap(({ decoders }) => decoders));

function isAlone(decoder: Decoder): boolean {
  return !LISTED.has(decoder);
}

function searchFor(all: readonly Decoder[], { decoders, beyondAscii = false }: Together): Search | null {
  const sources = new Map<string, number[]>();
  for (const [index, decoder] of all.entries()) {
    if (decoder.hint !== undefined || !decoders.includes(decoder)) continue;
    for (const part of alternativesOf(decoder.shape)) sources.set(part, [...(sources.get(part) ?? []), index]);
  }
  const sets = createSets([...sources.keys()], 'u', { memory: MEMORY_OF_SHAPES });
  return sets === null ? null : { sets, owners: [...sources.values()], beyondAscii };
}

/** The decoders whose shape occurs in a text of any length, in the order of the table. Null when cancelled. */
export function shapesOfText(
  { decoders, shapesIn }: ShapeSearch,
  bytes: Buffer,
  cancelled: () => boolean,
): readonly Decoder[] | null {
  const found = new Set<number>();
  for (const slice of windows(bytes)) {
    if (cancelled()) return null;
    for (const decoder of shapesIn(slice)) found.add(decoder);
  }
  return found.size === 0 ? NO_SHAPES : decoders.filter((_, index) => found.has(index));
}

export const NO_SHAPES: readonly Decoder[] = [];

/**
 * A shape's alternatives at the top level: `a(?:b|c)|d` has `a(?:b|c)` and `d`. A shape that begins with a flag for all
 * of it stays whole.
 */
function alternativesOf(shape: string): string[] {
  if (shape.startsWith('(?i)')) return [shape];
  const parts = [''];
  let depth = 0;
  let inClass = false;
  for (let i = 0; i < shape.length; i++) {
    const char = shape[i] as string;
    const last = parts.length - 1;
    if (char === '\\') {
      parts[last] += char + (shape[++i] ?? '');
      continue;
    }
    if (char === '[') inClass = true;
    else if (char === ']') inClass = false;
    else if (!inClass && char === '(') depth += 1;
    else if (!inClass && char === ')') depth -= 1;
    if (char === '|' && depth === 0 && !inClass) parts.push('');
    else parts[last] += char;
  }
  return parts;
}
