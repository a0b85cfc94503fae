/** Lists the fields in which two records differ, with dotted paths into nested records, such as 'value.meter.limit'. */
import { compareText } from '../text/compare-text.ts';

export interface FieldChange {
  path: string;
  /** Null if the field is missing. */
  from: unknown;
  to: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

/** Sorted by path. Null, undefined and a missing field are equal. */
export function fieldChanges(from: Fields | undefined, to: Fields | undefined): FieldChange[] {
  const before = leavesOf(from);
  const after = leavesOf(to);
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort(compareText);
  return paths
    .map((path): FieldChange => ({ path, from: before.get(path) ?? null, to: after.get(path) ?? null }))
    .filter((change) => JSON.stringify(change.from) !== JSON.stringify(change.to));
}

function leavesOf(fields: Fields | undefined): Map<string, unknown> {
  const leaves = new Map<string, unknown>();
  collect(fields ?? {}, '', leaves);
  return leaves;
}

function collect(fields: object, prefix: string, leaves: Map<string, unknown>): void {
  for (const [name, value] of Object.entries(fields)) {
    const path = `${prefix}${name}`;
    if (typeof value === 'object' && value !== null) collect(value, `${path}.`, leaves);
    else if (value !== null && value !== undefined) leaves.set(path, value);
  }
}
