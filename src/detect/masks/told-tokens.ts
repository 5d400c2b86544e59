/**
 * Answers may tell each token once more, with how likely it was. Those are not read: they repeat the text in pieces. A
 * value that makes way for a label in the text would still stand in them, so nothing is masked beside them.
 */
const TOLD = /"logprobs(?:Result)?"\s*:\s*(?:\{\s*"|\[\s*[^\]\s])/;

export function tellsTokens(json: string): boolean {
  return TOLD.test(json);
}
