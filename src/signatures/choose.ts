import { loadSignatures, type Loaded } from './load.ts';

/** What the operator asks for: the bundled signatures and his own, without those that he disabled. */
export function chosenSignatures(settings: {
  readonly paths: readonly string[];
  readonly disabled: readonly string[];
}): Loaded {
  const { signatures, problems } = loadSignatures(settings.paths);
  const disabled = new Set(settings.disabled);
  return { problems, signatures: signatures.filter(({ id }) => !disabled.has(id)) };
}
