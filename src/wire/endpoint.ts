import type { GrammarNode } from './grammar-node.ts';

/** An endpoint of a provider, with the grammar of the bodies that are sent to it. */
export interface Endpoint {
  /** Matches the end of the path: upstreams serve the same endpoints under different base paths. */
  readonly path: RegExp;
  readonly root: GrammarNode;
  /** Keys match in any case. */
  readonly caseless?: boolean;
}
