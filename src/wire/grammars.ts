/** Finds the request grammar for a path. */
import type { WireName } from '../domain/job.ts';
import { plainPath } from '../domain/plain-path.ts';
import { anthropic } from './anthropic.ts';
import { clouds } from './clouds.ts';
import type { Endpoint } from './endpoint.ts';
import { generic } from './generic.ts';
import { ollama } from './ollama.ts';
import { openai } from './openai.ts';
import type { GrammarNode } from './grammar-node.ts';
import { memoize } from './memoize.ts';

export interface Grammar {
  readonly root: GrammarNode;
  readonly caseless: boolean;
  /** The endpoint is known, so the roles in its bodies can be trusted. */
  readonly isKnown: boolean;
  /** The body is a stored file: JSON lines whatever its Content-Type says, or not text at all. */
  readonly isFile?: boolean;
}

/**
 * The endpoints of the configured wire come first, then those of the others: gateways serve several APIs side by side,
 * and `/v1/messages` is Anthropic's wherever it is served. A wrong choice affects only the roles of passages, not
 * whether text is scanned.
 */
const ENDPOINTS = {
  auto: [...openai, ...anthropic, ...ollama, ...clouds],
  openai: [...openai, ...anthropic, ...ollama, ...clouds],
  anthropic: [...anthropic, ...openai, ...ollama, ...clouds],
  ollama: [...ollama, ...openai, ...anthropic, ...clouds],
  generic: [],
} satisfies Record<WireName, readonly Endpoint[]>;

const UNKNOWN: Grammar = { root: generic, caseless: true, isKnown: false };

const cachedGrammars = {
  auto: memoize((path) => grammarAt('auto', path)),
  openai: memoize((path) => grammarAt('openai', path)),
  anthropic: memoize((path) => grammarAt('anthropic', path)),
  ollama: memoize((path) => grammarAt('ollama', path)),
  generic: memoize((path) => grammarAt('generic', path)),
} satisfies Record<WireName, (path: string) => Grammar>;

export function grammarOf(wire: WireName, path: string): Grammar {
  return cachedGrammars[wire](path);
}

function grammarAt(wire: WireName, path: string): Grammar {
  return endpointMatching(wire, path) ?? endpointMatching(wire, plainPath(path)) ?? UNKNOWN;
}

function endpointMatching(wire: WireName, path: string): Grammar | null {
  for (const { path: pattern, root, caseless = false } of ENDPOINTS[wire]) {
    if (pattern.test(path)) return { root, caseless: caseless || wire === 'ollama', isKnown: true };
  }
  return null;
}
