import { exclusionLists } from '../config/exclusion-lists.ts';
import type { Loaded } from '../config/load.ts';
import { shown } from '../config/shape.ts';
import { closest } from '../config/suggest.ts';
import { settingsOf } from '../config/with-policy.ts';
import { HIDDEN_PREFIX } from '../domain/score.ts';
import type { Problem } from '../domain/problem.ts';
import { loadSignatures } from '../signatures/load.ts';

/** Findings that come from no signature. Spelled out here, since asking the modules that make them loads the whole scanner. */
export const OTHER_IDS = ['likeness', 'egress:canary', 'egress:prompt-secret'];

/**
 * Ids in the configuration that no signature has. Not wrong, since a signature that was renamed or withdrawn must not keep a
 * proxy from starting; and nothing is said under a fleet, which may send one of that name. Those of disguises (`hidden:base64`)
 * are not checked: their names are the decoders', which only scanning threads load.
 */
export function unknownSignatureIds(loaded: Loaded): readonly Problem[] {
  if (loaded.config === null || loaded.config.control_plane.enabled) return [];
  const { disabled, paths } = loaded.config.signatures;
  const settings = settingsOf(loaded.config);
  const excluded = (settings === null ? [] : exclusionLists(settings)).flatMap(({ path, exclusions }) =>
    exclusions.flatMap(({ signature: id }, index) =>
      id === undefined ? [] : [{ id, path: [...path, index, 'signature'] }],
    ),
  );
  const ofSignatures = loadSignatures(paths).signatures.map(({ id }) => id);
  const ofFindings = [...ofSignatures, ...OTHER_IDS];
  const unlessKnown = (id: string, path: readonly (string | number)[], ids: readonly string[]): Problem[] => {
    if (ids.includes(id)) return [];
    const meant = closest(id, ids);
    // By name, because all ids of a list in a variable have one place.
    const message = `no signature has the id ${shown(id)}${meant === null ? '' : `; did you mean ${meant}?`}`;
    return [loaded.placed({ path, message })];
  };
  return [
    ...disabled.flatMap((id, index) => unlessKnown(id, ['signatures', 'disabled', index], ofSignatures)),
    ...excluded.flatMap(({ id, path }) => (id.startsWith(HIDDEN_PREFIX) ? [] : unlessKnown(id, path, ofFindings))),
  ];
}
