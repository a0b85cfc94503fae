/** Fields of recorded requests and responses, which may be anything. */

/** An own property of an object; undefined for anything else. */
export function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}
