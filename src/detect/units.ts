import type { Passage, Role } from '../domain/passage.ts';

/** A text to be judged as one: a passage, or the seam where an upstream will read several as one. */
export interface Unit {
  readonly text: string;
  readonly role: Role;
  readonly where: string;
}

/**
 * The seams between texts that the upstream will read as one: parts of a message, and a sender's consecutive messages.
 * Only what is close to a cut is repeated, so a thousand parts cost a thousand short seams and not a second copy of all.
 * Seams are read with nothing between ("igno" + "re") and with a blank ("ignore" + "previous").
 */
export function seamsOf(passages: readonly Passage[]): Unit[] {
  const seams: Unit[] = [];
  const lastOfRole = new Map<Role, Passage>();
  let run: Passage[] = [];
  const close = (): void => {
    if (run.length > 1) seams.push(...joined(run, PART_REACH));
    run = [];
  };
  for (const passage of passages) {
    const before = run.at(-1);
    if (before !== undefined && before.message !== passage.message) {
      close();
      const previous = lastOfRole.get(passage.role);
      if (previous !== undefined) seams.push(...joined([previous, passage], TURN_REACH));
    }
    run.push(passage);
    lastOfRole.set(passage.role, passage);
  }
  close();
  return seams;
}

/** Characters kept on each side of a cut: parts are meant to be read together, turns only happen to follow. */
const PART_REACH = 512;
const TURN_REACH = 160;

function joined(parts: readonly Passage[], reach: number): Unit[] {
  const first = parts[0] as Passage;
  const stricter = parts.find((part) => !LENIENT.has(part.role)) ?? first;
  const where = `${first.where}+`;
  return ['', ' '].map((glue) => {
    let text = '';
    for (const [i, part] of parts.entries()) {
      if (i > 0) text += glue;
      if (part.text.length <= 2 * reach) text += part.text;
      else if (i === 0) text += part.text.slice(-reach);
      else if (i === parts.length - 1) text += part.text.slice(0, reach);
      else text += `${part.text.slice(0, reach)}\n\n${part.text.slice(-reach)}`;
    }
    return { text, role: stricter.role, where };
  });
}

/** Roles that the default policy only warns about; text that meets a client's own text at a seam is judged as that. */
const LENIENT: ReadonlySet<Role> = new Set(['system', 'developer', 'tool_definition', 'assistant']);
