/**
 * Brings two edits of the same thing together, field by field, when the server says that somebody else was faster: a
 * form keeps what was entered, takes over what only the other one changed, and shows where both changed the same.
 */

export interface MergedEdits<Values extends object> {
  /** What the form goes on with: of fields that both changed, what was entered. */
  readonly values: Values;
  /** Both changed these, each to something else. */
  readonly conflicts: readonly (keyof Values & string)[];
  /** Only the other one changed these. */
  readonly taken: readonly (keyof Values & string)[];
}

/** `base` is what the form was opened with, `mine` what was entered, `theirs` what stands now. All are plain data. */
export function mergeEdits<Values extends object>(
  base: Values,
  mine: Values,
  theirs: Values,
): MergedEdits<Values> {
  const values = { ...mine };
  const conflicts: (keyof Values & string)[] = [];
  const taken: (keyof Values & string)[] = [];
  for (const field of Object.keys(theirs) as (keyof Values & string)[]) {
    if (isSame(base[field], theirs[field]) || isSame(mine[field], theirs[field])) continue;
    if (isSame(base[field], mine[field])) {
      values[field] = theirs[field];
      taken.push(field);
    } else conflicts.push(field);
  }
  return { values, conflicts, taken };
}

/** The fields that `mine` changes, with their new values. */
export function changedFields<Values extends object>(base: Values, mine: Values): Partial<Values> {
  const changed: Partial<Values> = {};
  for (const field of Object.keys(mine) as (keyof Values & string)[]) {
    if (!isSame(base[field], mine[field])) changed[field] = mine[field];
  }
  return changed;
}

/** Equal plain data, in whatever order its fields stand. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const entries = definedEntries(one);
  const others = new Map(definedEntries(other));
  return (
    entries.length === others.size &&
    entries.every(([field, value]) => others.has(field) && isSame(value, others.get(field)))
  );
}

function definedEntries(data: object): [string, unknown][] {
  return Object.entries(data).filter(([, value]) => value !== undefined);
}
