import { formatProblem, type Problem } from '../domain/problem.ts';
import { isOfExample } from './signatures-proof.ts';

/** What the author of a signature can do about a problem with it. */

export function sayWithCures(problems: readonly Problem[]): void {
  for (const problem of problems) {
    const cure = cureOf(problem);
    console.error(`${formatProblem(problem)}${cure === null ? '' : `; ${cure}`}`);
  }
}

/** Advice for messages that only say what is wrong. */
const CURES: readonly (readonly [says: RegExp, cure: string])[] = [
  [/is not found: /, 'widen a pattern, or take out the example if it is no attack'],
  [/is found although /, 'narrow the pattern, or move the example to matches if it is an attack'],
  [
    /would be blocked as \S+ by /,
    'make the one of these that you added narrower, or less sure, until this honest text is spared',
  ],
  [/could not be read /, 'shorten the example'],
  [/look-around/, 'write the honest case as an example under ignores, and narrow the pattern until it is spared'],
  [/back-reference/, 'write out what is repeated'],
  [/fewer than 2 characters/, 'add what stands beside it'],
  [/repeats a (?:group|class|character) more than/, 'give a smaller count, or use near groups'],
  [/nested too deeply/, 'write the alternatives as patterns of their own'],
  [/closes a group|opens a (?:group|class)|repeats nothing/, 'escape it with a backslash if it stands for itself'],
  [/RE2 refuses/, 'RE2 has no such syntax: docs/signatures.md says what there is'],
  [/is not a check/, 'docs/signatures.md lists the checks'],
  [/already used at/, 'give one of them another id'],
  [/holds an empty group/, 'fill it or take it out'],
  [/begins with a long class/, 'keys say where the pattern is worth trying'],
];

export function cureOf(problem: Problem): string | null {
  // The message quotes the example, which may contain any text: only the part before the quote is matched.
  const { message } = problem;
  const said = isOfExample(problem) ? message.slice(0, message.indexOf(": '") + 2) : message;
  return CURES.find(([says]) => says.test(said))?.[1] ?? null;
}
