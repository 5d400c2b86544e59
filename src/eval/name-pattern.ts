/** Whether the name matches the pattern, in which `*` stands for any text: `'injection-de'` matchesPattern `'injection-*'`. */
export function matchesPattern(name: string, pattern: string): boolean {
  const [head = '', ...rest] = pattern.split('*');
  const tail = rest.pop();
  if (tail === undefined) return name === pattern;
  if (!name.startsWith(head)) return false;
  let at = head.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return name.length - tail.length >= at && name.endsWith(tail);
}
