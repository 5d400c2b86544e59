/** Which grammar a path speaks. */
import type { WireName } from '../domain/job.ts';
import { plainPath } from '../domain/plain-path.ts';
import { anthropic } from './anthropic.ts';
import { generic } from './generic.ts';
import { ollama } from './ollama.ts';
import { openai } from './openai.ts';
import type { Place } from './place.ts';
import { remember } from './remember.ts';

export interface Endpoint {
  /** The end of the path: upstreams hang the same endpoints under different roots. */
  readonly path: RegExp;
  readonly root: Place;
  readonly caseless?: boolean;
}

export interface Grammar {
  readonly root: Place;
  readonly caseless: boolean;
  /** The endpoint is known, so its roles mean what they say. */
  readonly known: boolean;
  /** The body is somebody's file as it was stored: lines of JSON whatever its label says, or no text at all. */
  readonly file?: boolean;
}

/**
 * The own endpoints of a wire come first, the others after them: gateways serve several tongues side by side, and
 * `/v1/messages` is Anthropic's wherever it stands. Nothing but labels hangs on this.
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
