/** One error in the configuration or the signatures, worded so that a person can fix it. */
export interface Problem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly path: string;
  readonly message: string;
}

/** `file:line:column path: message`, the form that editors and terminals turn into links. */
export function formatProblem({ file, line, column, path, message }: Problem): string {
  const where = line > 0 ? `${file}:${line}:${column}` : file;
  return `${where}${path === '' ? '' : ` ${path}`}: ${message}`;
}
