/** Expands environment variables in a value: `${VAR}`, `${VAR:-default}`, and `$${` for a literal `${`. */

export type Expansion =
  | { readonly kind: 'plain' }
  | { readonly kind: 'expanded'; readonly text: string; readonly variables: readonly string[] }
  | { readonly kind: 'unset'; readonly variable: string }
  | { readonly kind: 'malformed' };

const OPEN = '${';
const REFERENCE = /^([A-Za-z_][A-Za-z0-9_]*)(?::-((?:(?!\$\{)[^}])*))?$/;

/**
 * Expands in a single pass. The content of a variable is data and is not expanded again: a value that happens to
 * contain `${` must not read further variables. Nested defaults are refused because they are hard to read.
 */
export function expand(text: string, env: NodeJS.ProcessEnv): Expansion {
  if (!text.includes(OPEN)) return { kind: 'plain' };
  const variables: string[] = [];
  let out = '';
  let at = 0;
  for (let open = text.indexOf(OPEN); open !== -1; open = text.indexOf(OPEN, at)) {
    if (open > at && text[open - 1] === '$') {
      out += text.slice(at, open - 1) + OPEN;
      at = open + OPEN.length;
      continue;
    }
    const close = text.indexOf('}', open);
    const reference = close === -1 ? null : REFERENCE.exec(text.slice(open + OPEN.length, close));
    if (reference === null) return { kind: 'malformed' };
    const [, variable = '', fallback] = reference;
    const value = env[variable];
    // As in a shell, `:-` also applies to a variable that is set but empty.
    const chosen = fallback !== undefined && (value === undefined || value === '') ? fallback : value;
    if (chosen === undefined) return { kind: 'unset', variable };
    variables.push(variable);
    out += text.slice(at, open) + chosen;
    at = close + 1;
  }
  return { kind: 'expanded', text: out + text.slice(at), variables };
}
