import type { Role } from '../../domain/passage.ts';
import { asksLibrary } from './developers-question.ts';
import { beginsAnew } from './fresh-start.ts';
import { asksAboutAttack } from './quoted-attack.ts';
import { signsLetter } from './reply-in-my-name.ts';

/**
 * What users say in the words of attacks and may say. Neither a signature nor the likeness can tell it from an attack
 * by a part of the text, because what makes it honest is that nothing else is there. So the text as a whole is compared
 * with a closed vocabulary, which has no word for what an attacker would want next. Only for users, and for texts
 * whose author is not known: in a mail or a page such a sentence talks to nobody but the model.
 */
export function isPlainRequest({ text, role }: { readonly text: string; readonly role: Role }): boolean {
  return (
    (role === 'user' || role === 'other') &&
    (asksAboutAttack(text) || beginsAnew(text) || asksLibrary(text) || signsLetter(text))
  );
}
