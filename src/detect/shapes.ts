import type { Decoder } from '../text/decoders/decoder.ts';
import { createSets } from './sets.ts';

/**
 * Which decoders have something to do in a text. Shapes ride in sets of their own: together with the signatures their
 * counters multiply the engine's states (measured: a fifth of the speed). And a shape that is nothing but a long run of
 * one class is not given to RE2 at all: looking only at every n-th byte finds it four times as fast.
 */
/** Null when the engine refuses a shape. */
export function shapesFinder(decoders: readonly Decoder[]): ((bytes: Buffer) => number[]) | null {
  const runs = new Map<string, { run: Run; owners: number[] }>();
  const sources = new Map<string, number[]>();
  for (const [index, { shape, hint }] of decoders.entries()) {
    if (hint !== undefined) continue;
    for (const part of alternativesOf(shape)) {
      const run = runOf(part);
      if (run !== null) {
        const known = runs.get(part) ?? { run, owners: [] };
        known.owners.push(index);
        runs.set(part, known);
      } else sources.set(part, [...(sources.get(part) ?? []), index]);
    }
  }
  const owners = [...sources.values()];
  const sets = createSets([...sources.keys()], 'u');
  if (sets === null) return null;
  return (bytes) => {
    const found = new Set<number>();
    sets.match(bytes, (shape) => {
      for (const owner of owners[shape] as number[]) found.add(owner);
    });
    for (const { run, owners } of runs.values()) {
      if (owners.every((owner) => found.has(owner)) || !hasRun(bytes, run)) continue;
      for (const owner of owners) found.add(owner);
    }
    return [...found];
  };
}

export interface Run {
  readonly members: Uint8Array;
  readonly length: number;
}

/** `[class]{n}` of ASCII, long enough for striding to pay. */
function runOf(part: string): Run | null {
  const found = /^(\[[\x20-\x7e]+\])\{(\d+)\}$/.exec(part);
  if (found === null || Number(found[2]) < 12 || (found[1] as string).startsWith('[^') || classCount(part) > 1)
    return null;
  const member = new RegExp(`^${found[1]}$`);
  const members = Uint8Array.from({ length: 256 }, (_, code) =>
    code < 128 && member.test(String.fromCharCode(code)) ? 1 : 0,
  );
  return { members, length: Number(found[2]) };
}

function classCount(part: string): number {
  return part.replace(/\\./g, '').split('[').length - 1;
}

/** Whether the bytes hold so many members in a row. Looks at every n-th byte, and back only from a member. */
function hasRun(bytes: Buffer, { members, length }: Run): boolean {
  let end = length - 1;
  while (end < bytes.length) {
    let at = end;
    while (at > end - length && members[bytes[at] as number] === 1) at -= 1;
    if (at === end - length) return true;
    end = at + length;
  }
  return false;
}

/** A shape's alternatives at the top level; a shape that sets flags for all of itself stays whole. */
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
