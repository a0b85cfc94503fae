/**
 * Three-way merge of two concurrent edits, field by field. The form keeps the user's input, adopts fields that only the
 * other edit changed, and reports fields that both changed.
 */

export interface MergedEdits<Values extends object> {
  /** The merged form values. Conflicting fields have the user's value. */
  readonly values: Values;
  /** Fields that both edits changed to different values. */
  readonly conflicts: readonly (keyof Values & string)[];
  /** Fields that only the other edit changed. */
  readonly taken: readonly (keyof Values & string)[];
}

/** `base` is the state the form was opened with, `mine` the input, `theirs` the server's current state. Plain data. */
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

/** An interrupted edit: the state that the form was opened with, and the input. */
export interface KeptEdit<Values extends object> {
  readonly base: Partial<Values>;
  readonly values: Partial<Values>;
}

/** Continues an interrupted edit on the current state, which others may have changed since. Fields that were not kept are current. */
export function resumeEdit<Values extends object>(
  { base, values }: KeptEdit<Values>,
  current: Values,
): MergedEdits<Values> {
  return mergeEdits({ ...current, ...base }, { ...current, ...values }, current);
}

/** The fields of `mine` that differ from `base`. */
export function changedFields<Values extends object>(base: Values, mine: Values): Partial<Values> {
  const changed: Partial<Values> = {};
  for (const field of Object.keys(mine) as (keyof Values & string)[]) {
    if (!isSame(base[field], mine[field])) changed[field] = mine[field];
  }
  return changed;
}

/** Deep equality of plain data. The order of fields is irrelevant. */
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
