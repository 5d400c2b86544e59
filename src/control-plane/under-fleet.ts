import type { Config } from '../config/config.ts';
import { withPolicy, type Overlaid } from '../config/with-policy.ts';
import { chosenSignatures } from '../signatures/choose.ts';
import { mergeSignatures, type Merged } from './bundle-payload.ts';
import type { Sent } from './link.ts';

/** Applies what the control plane sent to the configuration of the file. */

/** The configuration under the fleet's policy. Upstreams keep their overrides. */
export function configUnder(config: Config, { policy }: Sent): Overlaid {
  return policy === null ? { config, problems: [] } : withPolicy(config, policy);
}

/** The operator's signatures merged with those of the fleet's bundle. */
export function signaturesUnder({ signatures }: Config, { payload }: Sent): Merged {
  const loaded = chosenSignatures(signatures);
  if (payload === null || loaded.problems.length > 0) return loaded;
  return mergeSignatures(loaded.signatures, payload, signatures.disabled);
}
