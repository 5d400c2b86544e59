import { loadSignatures, type Loaded } from './load.ts';

/** The bundled signatures and the operator's own, without the disabled ones. */
export function chosenSignatures(settings: {
  readonly paths: readonly string[];
  readonly disabled: readonly string[];
}): Loaded {
  const { signatures, problems } = loadSignatures(settings.paths);
  const disabled = new Set(settings.disabled);
  return { problems, signatures: signatures.filter(({ id }) => !disabled.has(id)) };
}
