/** What the fields of a body must be: the rules of the API's schemas, without the library that they are written with. */
import { IDENTIFIER_PROBLEMS, problemOfOpaque, readIdentifier } from '#contracts/public/identifiers';
import { invalidField } from './refusal.ts';

/** @returns why a value is refused, or whether a field within it is; null if it is not */
type Rule = (value: unknown) => string | null | { readonly path: string; readonly message: string };
export type Rules = Readonly<Record<string, Rule>>;

const text: Rule = (value) =>
  typeof value === 'string' && value !== '' ? null : 'Must be text that is not empty';
const identifier: Rule = (value) => {
  if (typeof value !== 'string') return 'Must be text';
  const read = readIdentifier(value);
  return read.ok ? null : IDENTIFIER_PROBLEMS[read.reason];
};
const opaque: Rule = (value) => {
  const problem = typeof value === 'string' ? problemOfOpaque(value) : 'empty';
  return problem === null ? null : IDENTIFIER_PROBLEMS[problem];
};
const flag: Rule = (value) => (typeof value === 'boolean' ? null : 'Must be true or false');
const slug: Rule = (value) =>
  /^(?=.{3,32}$)-*[a-z0-9][a-z0-9_-]*$/.test(String(value)) && typeof value === 'string'
    ? null
    : 'Must be a slug';
const propertyKey: Rule = (value) =>
  typeof value === 'string' && /^[\w.-]{3,25}$/.test(value) ? null : 'Must be a property’s key';
const amount =
  (min: number): Rule =>
  (value) =>
    Number.isSafeInteger(value) && Math.abs(value as number) <= 1e12 && (value as number) >= min
      ? null
      : 'Must be a whole number';
const instant: Rule = (value) =>
  typeof value === 'string' &&
  /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:?\d\d)$/.test(value) &&
  !Number.isNaN(Date.parse(value))
    ? null
    : 'Must be a date and time of RFC 3339';
const age: Rule = (value) =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= 86_400_000
    ? null
    : 'Must be a whole number of 0 to 86,400,000';
const oneOf =
  (...values: string[]): Rule =>
  (value) =>
    values.includes(value as string) ? null : `Must be ${values.join(' or ')}`;
const listOf =
  (rule: Rule, max: number): Rule =>
  (value) => {
    if (!Array.isArray(value) || value.length === 0 || value.length > max)
      return `Must be a list of 1 to ${max}`;
    const at = value.findIndex((entry) => rule(entry) !== null);
    return at === -1 ? null : { path: String(at), message: String(rule(value[at])) };
  };
const context: Rule = (value) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'Must be an object';
  const entries = Object.entries(value);
  if (entries.length > 20) return 'Must have at most 20 entries';
  const isFlat = entries.every(
    ([key, entry]) => key !== '' && key.length <= 100 && /^(string|number|boolean)$/.test(typeof entry),
  );
  if (!isFlat) return 'Must be text, a number, true or false';
  return new TextEncoder().encode(JSON.stringify(value)).byteLength > 4096 ? 'Must be at most 4 KiB' : null;
};

const subject: Rules = { userIdentifier: identifier, userJwt: text };
const counted: Rules = {
  feature: slug,
  property: propertyKey,
  resourceId: opaque,
  idempotencyKey: opaque,
  occurredAt: instant,
  ageMs: age,
};
export const CONSUME: Rules = { ...counted, by: amount(1) };
export const UPDATE: Rules = { ...subject, ...counted, by: amount(-1e12), release: flag, enforce: flag };
export const CHECK: Rules = {
  ...subject,
  consume: (value) => (typeof value === 'object' && value !== null ? null : 'Must be an object'),
  consistency: oneOf('bounded', 'local', 'strict'),
  features: listOf(slug, 200),
  include: listOf(oneOf('subscriptions'), 1),
  context,
};
export const CHECKS: Rules = { features: listOf(slug, 200), checks: listOf(() => null, 100) };
export const BATCHED_CHECK: Rules = { ...subject, context };
export const BATCH: Rules = { updates: listOf(() => null, 100) };

/** @param path of the body in the request @throws {Refusal} */
export function ensureRules(
  body: Record<string, unknown>,
  rules: Rules,
  required: readonly string[],
  path = '',
): void {
  const at = (field: string) => (path === '' ? field : `${path}.${field}`);
  for (const [field, value] of Object.entries(body)) {
    if (!Object.hasOwn(rules, field)) throw invalidField(at(field), 'Unknown field');
    if (value === undefined) continue;
    const problem = rules[field]?.(value) ?? null;
    if (typeof problem === 'string') throw invalidField(at(field), problem);
    if (problem !== null) throw invalidField(at(`${field}.${problem.path}`), problem.message);
  }
  for (const field of required) if (body[field] === undefined) throw invalidField(at(field), 'Required');
  if (body.by !== undefined && body.resourceId !== undefined) {
    throw invalidField(at('resourceId'), 'Send by or resourceId, not both');
  }
  if (body.release !== undefined && body.resourceId === undefined) {
    throw invalidField(at('release'), 'Requires a resourceId');
  }
  if (body.occurredAt !== undefined && body.ageMs !== undefined) {
    throw invalidField(at('ageMs'), 'Send occurredAt or ageMs, not both');
  }
  if (body.userIdentifier !== undefined && body.userJwt !== undefined) {
    throw invalidField(at('userJwt'), 'Send userIdentifier or userJwt, not both');
  }
}
