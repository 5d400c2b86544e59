/** Finds the request grammar for a path. */
import type { WireName } from '../domain/job.ts';
import { plainPath } from '../domain/plain-path.ts';
import { anthropic } from './anthropic.ts';
import { generic } from './generic.ts';
import { ollama } from './ollama.ts';
import { openai } from './openai.ts';
import type { Place } from './place.ts';
import { remember } from './remember.ts';

export interface Endpoint {
  /** Matches the end of the path: upstreams serve the same endpoints under different base paths. */
  readonly path: RegExp;
  readonly root: Place;
  /** Keys match in any case. */
  readonly caseless?: boolean;
}

export interface Grammar {
  readonly root: Place;
  readonly caseless: boolean;
  /** The endpoint is known, so the roles in its bodies can be trusted. */
  readonly known: boolean;
  /** The body is a stored file: JSON lines whatever its Content-Type says, or not text at all. */
  readonly file?: boolean;
}

/**
 * The endpoints of the configured wire come first, then those of the others: gateways serve several APIs side by side,
 * and `/v1/messages` is Anthropic's wherever it is served. A wrong choice affects only the roles of passages, not
 * whether text is scanned.
 */
const ENDPOINTS = {
  auto: [...openai, ...anthropic, ...ollama],
  openai: [...openai, ...anthropic, ...ollama],
  anthropic: [...anthropic, ...openai, ...ollama],
  ollama: [...ollama, ...openai, ...anthropic],
  generic: [],
} satisfies Record<WireName, readonly Endpoint[]>;

const UNKNOWN: Grammar = { root: generic, caseless: true, known: false };

const find = {
  auto: remember((path) => grammarAt('auto', path)),
  openai: remember((path) => grammarAt('openai', path)),
  anthropic: remember((path) => grammarAt('anthropic', path)),
  ollama: remember((path) => grammarAt('ollama', path)),
  generic: remember((path) => grammarAt('generic', path)),
} satisfies Record<WireName, (path: string) => Grammar>;

export function grammarOf(wire: WireName, path: string): Grammar {
  return find[wire](path);
}

function grammarAt(wire: WireName, path: string): Grammar {
  return named(wire, path) ?? named(wire, plainPath(path)) ?? UNKNOWN;
}

function named(wire: WireName, path: string): Grammar | null {
  for (const { path: pattern, root, caseless = false } of ENDPOINTS[wire]) {
    if (pattern.test(path)) return { root, caseless: caseless || wire === 'ollama', known: true };
  }
  return null;
}
