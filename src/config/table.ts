/** An object without a prototype: `__proto__` is an ordinary key in it, and looking up `constructor` finds nothing. */
export function table(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>;
}

export function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
