import type { Config } from '../config/config.ts';
import { withPolicy, type Overlaid } from '../config/with-policy.ts';
import { chosenSignatures } from '../signatures/choose.ts';
import { mergeSignatures, type Merged } from './bundle-payload.ts';
import type { Sent } from './link.ts';

/** What a configuration means once the fleet has had its say. */

/** Upstreams keep what they override. */
export function configUnder(config: Config, { policy }: Sent): Overlaid {
  return policy === null ? { config, problems: [] } : withPolicy(config, policy);
}

/** The operator's choice of signatures, and those of the fleet among them. */
export function signaturesUnder({ signatures }: Config, { payload }: Sent): Merged {
  const loaded = chosenSignatures(signatures);
  if (payload === null || loaded.problems.length > 0) return loaded;
  return mergeSignatures(loaded.signatures, payload, signatures.disabled);
}
