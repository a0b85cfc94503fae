/**
 * Structural equality of JSON: the order of an object's keys does not matter. What JSON leaves out counts as it does there: an
 * undefined member is no member, and undefined elsewhere is null.
 */
export function isSameJson(left: unknown, right: unknown): boolean {
  const [a, b] = [left ?? null, right ?? null];
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, index) => isSameJson(item, b[index]));
  }
  const [ofA, ofB] = [membersOf(a), membersOf(b)];
  return (
    ofA.size === ofB.size && [...ofA].every(([key, value]) => ofB.has(key) && isSameJson(value, ofB.get(key)))
  );
}

function membersOf(value: object): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(value).filter(([, member]) => member !== undefined));
}
