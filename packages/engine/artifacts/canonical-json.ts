/**
 * Canonical JSON for hashing and comparing (RFC 8785): members sorted by UTF-16 code units, no white space, ECMAScript
 * number format. Differs from the RFC in one way: lone surrogates are escaped instead of refused.
 */

/**
 * Omits undefined members. Throws a TypeError for values that JSON cannot represent: NaN, infinities, undefined in a list
 * or alone, functions, symbols, big integers, and objects that are neither plain nor arrays.
 */
export function canonicalJson(value: unknown): string {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return JSON.stringify(value);
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError(`${value} has no JSON`);
      return JSON.stringify(value);
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? listText(value) : recordText(value);
    default:
      throw new TypeError(`A value of type ${typeof value} has no JSON`);
  }
}

function listText(list: readonly unknown[]): string {
  // Unlike map, Array.from also visits holes, which are refused as undefined.
  return `[${Array.from(list, canonicalJson).join()}]`;
}

function recordText(value: object): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    throw new TypeError('Only plain objects and arrays have canonical JSON');
  }
  const record = value as Record<string, unknown>;
  const members: string[] = [];
  // Object.keys lists own keys only, and reading an own `__proto__` does not reach the prototype.
  for (const key of Object.keys(record).sort()) {
    const member = record[key];
    if (member !== undefined) members.push(`${JSON.stringify(key)}:${canonicalJson(member)}`);
  }
  return `{${members.join()}}`;
}
