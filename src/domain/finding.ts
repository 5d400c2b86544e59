import type { Role } from './passage.ts';
import type { Place } from './place.ts';
import type { Category } from './verdict.ts';

/** This signature hit in this reading of this passage. It crosses the thread boundary, so it is plain data. */
export interface Finding {
  readonly signature: string;
  readonly name: string;
  readonly category: Category;
  /** 0..1: how often text that hits this signature is an attack. */
  readonly confidence: number;
  readonly role: Role;
  readonly where: string;
  /** The decoders that made the text readable, outermost first; empty when it hit as it stands. */
  readonly via: readonly string[];
  /** In order and not touching; absent where nobody knows. */
  readonly places?: readonly Place[] | undefined;
}
