import { exclusionLists } from '../config/exclusion-lists.ts';
import type { Loaded } from '../config/load.ts';
import { closest } from '../config/suggest.ts';
import { typedOf } from '../config/with-policy.ts';
import { HIDDEN } from '../domain/score.ts';
import type { Problem } from '../domain/signature.ts';
import { loadSignatures } from '../signatures/load.ts';

/** Findings that come from no signature. Spelled out here, since asking the modules that make them loads the whole scanner. */
export const OTHER_IDS = ['likeness', 'egress:canary', 'egress:prompt-secret'];

/**
 * Ids in the configuration that no signature has. Not wrong, since a signature that was renamed or withdrawn must not keep a
 * proxy from starting; and nothing is said under a fleet, which may send one of that name.
 */
export async function idsInVain(loaded: Loaded): Promise<readonly Problem[]> {
  if (loaded.config === null || loaded.config.control_plane.enabled) return [];
  const { disabled, paths } = loaded.config.signatures;
  const typed = typedOf(loaded.config);
  const excluded = (typed === null ? [] : exclusionLists(typed)).flatMap(({ path, exclusions }) =>
    exclusions.flatMap(({ signature: id }, index) =>
      id === undefined ? [] : [{ id, path: [...path, index, 'signature'] }],
    ),
  );
  const ofSignatures = loadSignatures(paths).signatures.map(({ id }) => id);
  const readings = excluded.some(({ id }) => id.startsWith(HIDDEN)) ? await namesOfReadings() : [];
  const ofFindings = [...ofSignatures, ...OTHER_IDS, ...readings.map((name) => HIDDEN + name)];
  const vain = (id: string, path: readonly (string | number)[], ids: readonly string[]): Problem[] => {
    if (ids.includes(id)) return [];
    const meant = closest(id, ids);
    const message = `no signature has this id${meant === null ? '' : `; did you mean ${meant}?`}`;
    return [loaded.placed({ path, message })];
  };
  return [
    ...disabled.flatMap((id, index) => vain(id, ['signatures', 'disabled', index], ofSignatures)),
    ...excluded.flatMap(({ id, path }) => (isNested(id, readings) ? [] : vain(id, path, ofFindings))),
  ];
}

async function namesOfReadings(): Promise<readonly string[]> {
  const { DECODERS } = await import('../text/decoders/index.ts');
  return [...DECODERS.map(({ name }) => name), 'padding'];
}

/** `hidden:base64>rot-13`: one disguise in another. */
function isNested(id: string, readings: readonly string[]): boolean {
  if (!id.startsWith(HIDDEN)) return false;
  const names = id.slice(HIDDEN.length).split('>');
  return names.every((name) => readings.includes(name));
}
