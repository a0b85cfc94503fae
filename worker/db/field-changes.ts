/** What an edit changes, for its statement and for the audit log. */
import type { ChangedField, FieldChange } from '#contracts/console/activity';
import { canonicalJson } from '#engine/artifacts/canonical-json';

/** Characters of JSON. The names of fields with longer values are recorded. */
const MAX_RECORDED_LENGTH = 200;
/** Further ones are counted. */
const MAX_RECORDED_CHANGES = 100;

/** The sent fields that differ from the current ones. Undefined: not sent. */
export function changedFields<Sent extends object>(
  current: { readonly [Name in keyof Sent]: unknown },
  sent: Sent,
): Partial<Sent> {
  const names = (Object.keys(sent) as (keyof Sent)[]).filter(
    (name) => sent[name] !== undefined && textOf(sent[name]) !== textOf(current[name]),
  );
  return Object.fromEntries(names.map((name) => [name, sent[name]])) as Partial<Sent>;
}

/** A type alias, because a detail is any record and interfaces may get further fields. */
type RecordedEdit = { readonly changes: readonly FieldChange[]; readonly moreChanges?: number };

/**
 * These fields with their earlier and new values, for the `detail` of an audit row. A field that the activity has no words for does not
 * compile: add it to `ChangedField`.
 * @param unrecorded fields whose values are not for everybody who reads the log, such as code
 */
export function recordEdit<Sent extends object>(
  current: { readonly [Name in keyof Sent]: unknown },
  sent: Sent & Readonly<Record<Exclude<keyof Sent, ChangedField>, never>>,
  unrecorded: readonly (keyof Sent)[] = [],
): RecordedEdit {
  return recordValues<Sent>(current, sent, unrecorded);
}

/** The same of values by the ids of their properties. */
export function recordValues<Sent extends object>(
  current: { readonly [Name in keyof Sent]: unknown },
  sent: Sent,
  unrecorded: readonly (keyof Sent)[] = [],
): RecordedEdit {
  const changed = Object.entries(changedFields(current, sent));
  const changes = changed.slice(0, MAX_RECORDED_CHANGES).map(([field, to]) => {
    const from = current[field as keyof Sent];
    const isShort = [from, to].every((value) => textOf(value).length <= MAX_RECORDED_LENGTH);
    return isShort && !unrecorded.includes(field as keyof Sent) ? { field, from, to } : { field };
  });
  const more = changed.length - changes.length;
  return { changes, ...(more > 0 && { moreChanges: more }) };
}

const textOf = (value: unknown) => (value === undefined ? '' : canonicalJson(value));
