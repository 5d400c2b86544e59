import { formatProblem, type Problem } from '../domain/problem.ts';

/** Prints problems on standard error, one a line. Usually the command then ends with `EXIT.config`. */
export function sayProblems(problems: readonly Problem[]): void {
  for (const problem of problems) console.error(formatProblem(problem));
}
