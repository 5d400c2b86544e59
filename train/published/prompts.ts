import { parse, type Node } from 'acorn';

/** The texts in a file that look like instructions to a model. */
export function promptsIn(file: string, source: string): string[] {
  if (TEXT.test(file)) return source.length <= LONGEST && isPrompt(source) ? [source] : [];
  return CODE.test(file) && MAY_ADDRESS_MODEL.test(source) ? stringsOf(source).filter(isPrompt) : [];
}

const TEXT = /\.(?:md|mdc|txt|prompt|hbs|mustache)$/;
const CODE = /\.[cm]?js$/;
/** A quick check, because most files contain no instructions and need not be parsed. */
const MAY_ADDRESS_MODEL = /you are|your task|you must|do not|assistant/i;
const SHORTEST = 60;
const LONGEST = 40_000;
const ADDRESSING_WORDS =
  /\b(?:you are|you're|your task|you must|you will|you should|respond|the user|do not|don't|never|always|answer|instructions?|ignore|act as|assistant|please|important)\b/gi;

/**
 * Whether a text addresses a reader in at least two ways and has as many spaces as prose: code and data have fewer,
 * tables more.
 */
function isPrompt(text: string): boolean {
  if (text.length < SHORTEST || text.length > LONGEST) return false;
  const blanks = text.split(' ').length / text.length;
  if (blanks < 0.1 || blanks > 0.4) return false;
  return new Set(text.match(ADDRESSING_WORDS)?.map((word) => word.toLowerCase())).size > 1;
}

/** The placeholder for values that a program fills in. */
const PLACEHOLDER = 'value';

function stringsOf(source: string): string[] {
  const program = parsed(source);
  const texts: string[] = [];
  const left: unknown[] = [program];
  while (left.length > 0) {
    const next = left.pop();
    if (Array.isArray(next)) {
      left.push(...(next as unknown[]));
      continue;
    }
    if (!isNode(next)) continue;
    const text = textOfNode(next);
    if (text !== null) texts.push(text);
    // The expressions in a template may contain prompts, too.
    if (text === null) left.push(...Object.values(next));
    else if (next.type === 'TemplateLiteral') left.push(next['expressions']);
  }
  return texts;
}

function parsed(source: string): Node | null {
  for (const sourceType of ['module', 'script'] as const) {
    try {
      return parse(source, {
        ecmaVersion: 'latest',
        sourceType,
        allowReturnOutsideFunction: true,
        allowHashBang: true,
      });
    } catch {
      // Try the other source type. A file that is not current JavaScript is skipped.
    }
  }
  return null;
}

function isNode(value: unknown): value is Node & Record<string, unknown> {
  return typeof value === 'object' && value !== null && 'type' in value;
}

/** The text of a string, a template, or a concatenation of them; null for any other node. */
function textOfNode(node: Node & Record<string, unknown>): string | null {
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : null;
  if (node.type === 'TemplateLiteral')
    return (node['quasis'] as { value: { cooked?: string; raw: string } }[])
      .map(({ value }) => value.cooked ?? value.raw)
      .join(PLACEHOLDER);
  if (node.type !== 'BinaryExpression' || node['operator'] !== '+') return null;
  const parts: string[] = [];
  let hasText = false;
  // A loop instead of recursion: a concatenation of a thousand strings is a thousand levels deep.
  for (let at: unknown = node; isNode(at);) {
    const isSum = at.type === 'BinaryExpression' && at['operator'] === '+';
    const part = isSum ? at['right'] : at;
    const text = isNode(part) && part.type !== 'BinaryExpression' ? textOfNode(part) : null;
    hasText ||= text !== null;
    parts.push(text ?? PLACEHOLDER);
    at = isSum ? at['left'] : null;
  }
  return hasText ? parts.reverse().join('') : null;
}
