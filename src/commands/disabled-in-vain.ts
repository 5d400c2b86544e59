import type { Loaded } from '../config/load.ts';
import { closest } from '../config/suggest.ts';
import type { Problem } from '../domain/signature.ts';
import { loadSignatures } from '../signatures/load.ts';

/**
 * Warns about ids in `signatures.disabled` that no signature has. This is no error, because a signature that was
 * renamed or withdrawn must not keep a proxy from starting. Under a control plane nothing is reported, because the
 * fleet may send a signature with that id.
 */
export function disabledInVain(loaded: Loaded): readonly Problem[] {
  if (loaded.config === null || loaded.config.control_plane.enabled) return [];
  const { disabled, paths } = loaded.config.signatures;
  const ids = loadSignatures(paths).signatures.map(({ id }) => id);
  const known = new Set(ids);
  return disabled.flatMap((id, index) => {
    if (known.has(id)) return [];
    const meant = closest(id, ids);
    const message = `no signature has this id${meant === null ? '' : `; did you mean ${meant}?`}`;
    return [loaded.placed({ path: ['signatures', 'disabled', index], message })];
  });
}
