/** One string of a document: itself a passage, or a file in disguise, or a document in a string. */
import { unescape } from '../text/escapes.ts';
import { readLiterals } from '../text/strings.ts';
import type { Role } from '../domain/passage.ts';
import { BLOB_CHARS, readBlob, startsLikeDataUrl } from './blob.ts';
import { isModelName } from './model-name.ts';
import { opensContainer } from './opens.ts';
import { SMALL_CHARS, type Passages } from './passages.ts';

export interface Value {
  readonly role: Role;
  readonly where: string;
  readonly message: number;
  /** It stands where the upstream reads text. */
  readonly named: boolean;
}

/** Files and documents inside of each other: arguments in a batch line in an uploaded file. */
const MAX_NESTING = 3;

export function readValue(text: string, value: Value, into: Passages, nesting = 0): void {
  if (startsLikeDataUrl(text) || (!value.named && text.length >= BLOB_CHARS)) {
    const blob = readBlob(text);
    if (blob !== null) {
      if (blob.media !== null) into.count(blob.media);
      // Where the upstream reads text it reads these characters, whatever they look like.
      if (blob.media !== null && blob.media !== 'binary' && blob.pure && !value.named) return;
      if (blob.text !== null && nesting < MAX_NESTING) {
        readValue(blob.text, { ...value, named: true, where: `${value.where}<data>` }, into, nesting + 1);
      }
    }
  }
  if (nesting < MAX_NESTING && opensContainer(text) && text.includes('\\')) {
    openDocument(text, value, into, nesting + 1);
  }
  if (value.named || text.length > SMALL_CHARS) into.add(text, value.role, value.where, value.message);
  else if (!isModelName(text)) into.addSmall(text, value.role, value.message);
}

const ignore = (): void => {};

/**
 * Only the literals with escapes: the others stand verbatim in the string around them, which is scanned as a whole.
 */
function openDocument(text: string, value: Value, into: Passages, nesting: number): void {
  const inner: Value = { ...value, named: false, where: `${value.where}<json>` };
  const take = (literal: string, escaped: boolean): boolean => {
    if (escaped && literal !== '') readValue(literal, inner, into, nesting);
    return into.spendString();
  };
  const sound = readLiterals(
    text,
    { levels: 0, open: ignore, close: ignore, key: take, value: take, scalars: ignore },
    'many',
  );
  if (!sound && !into.overflowed()) into.add(unescape(text), value.role, inner.where, value.message);
}
