/** What the fields of a body must be: the rules of the API's schemas, without the library that they are written with. */
import {
  contextBytes,
  MAX_CONTEXT_BYTES,
  MAX_CONTEXT_ENTRIES,
  MAX_CONTEXT_NAME,
} from '#contracts/public/check-context';
import type { Issue } from '#contracts/public/errors';
import { IDENTIFIER_PROBLEMS, problemOfOpaque, readIdentifier } from '#contracts/public/identifiers';
import { invalidRequest } from '#engine/access/api-error';

/** @returns why a value is refused, or what is within it; null if it is not */
export type Rule = (value: unknown) => string | null | readonly Issue[];
export type Rules = Readonly<Record<string, Rule>>;

export const text: Rule = (value) =>
  typeof value === 'string' && value !== '' ? null : 'Must be text that is not empty';
export const identifier: Rule = (value) => {
  if (typeof value !== 'string') return 'Must be text';
  const read = readIdentifier(value);
  return read.ok ? null : IDENTIFIER_PROBLEMS[read.reason];
};
export const opaque: Rule = (value) => {
  const problem = typeof value === 'string' ? problemOfOpaque(value) : 'empty';
  return problem === null ? null : IDENTIFIER_PROBLEMS[problem];
};
export const flag: Rule = (value) => (typeof value === 'boolean' ? null : 'Must be true or false');
export const slug: Rule = (value) =>
  /^(?=.{3,32}$)-*[a-z0-9][a-z0-9_-]*$/.test(String(value)) && typeof value === 'string'
    ? null
    : 'Must be a slug';
export const propertyKey: Rule = (value) =>
  typeof value === 'string' && /^[\w.-]{3,25}$/.test(value) ? null : 'Must be a property’s key';
export const amount =
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
const whole =
  (min: number, max: number): Rule =>
  (value) =>
    Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max
      ? null
      : `Must be a whole number of ${min} to ${max}`;
export const oneOf =
  (...values: string[]): Rule =>
  (value) =>
    values.includes(value as string) ? null : `Must be ${values.join(' or ')}`;
const listOf =
  (rule: Rule, max: number): Rule =>
  (value) => {
    if (!Array.isArray(value) || value.length === 0 || value.length > max)
      return `Must be a list of 1 to ${max}`;
    const at = value.findIndex((entry) => rule(entry) !== null);
    return at === -1 ? null : [{ path: String(at), message: String(rule(value[at])) }];
  };
const distinct =
  (rule: Rule): Rule =>
  (value) =>
    rule(value) ??
    (new Set(value as unknown[]).size === (value as unknown[]).length ? null : 'Must not repeat an entry');
export const object: Rule = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? null : 'Must be an object';
const context: Rule = (value) => {
  const problem = object(value);
  if (problem !== null) return problem;
  const entries = Object.entries(value as object);
  const wrong = entries.flatMap(([path, entry]) =>
    path !== '' && path.length <= MAX_CONTEXT_NAME && /^(string|number|boolean)$/.test(typeof entry)
      ? []
      : [{ path, message: 'Must be text, a number, true or false' }],
  );
  if (wrong.length > 0) return wrong;
  if (entries.length > MAX_CONTEXT_ENTRIES) return `Must have at most ${MAX_CONTEXT_ENTRIES} entries`;
  return contextBytes(value as object) > MAX_CONTEXT_BYTES ? 'Must be at most 4 KiB' : null;
};

const subject: Rules = { userIdentifier: identifier, userJwt: text, entityId: opaque };
const counted: Rules = {
  feature: slug,
  property: propertyKey,
  by: amount(-1e12),
  resourceId: opaque,
  idempotencyKey: opaque,
  occurredAt: instant,
  ageMs: whole(0, 86_400_000),
};
const CONSUME: Rules = { ...counted, by: amount(1) };
export const NAMED = ['feature', 'property'];
export const UPDATE: Rules = { ...subject, ...counted, release: flag, givesBack: opaque, enforce: flag };
const lastsMs = whole(1_000, 3_600_000);
export const HOLD: Rules = {
  ...subject,
  feature: slug,
  property: propertyKey,
  amount: amount(1),
  orLess: flag,
  lastsMs,
  idempotencyKey: opaque,
};
export const HOLD_NAMED = [...NAMED, 'amount'];
export const EXTEND_HOLD: Rules = { amount: amount(0), lastsMs, idempotencyKey: opaque };
export const SETTLE_HOLD: Rules = { amount: amount(0), onExcess: oneOf('reject', 'cap', 'overflow') };
export const CHECK: Rules = {
  ...subject,
  consume: (value) => object(value) ?? issuesOf(value as Fields, CONSUME, NAMED),
  consistency: oneOf('bounded', 'local', 'strict'),
  features: listOf(slug, 200),
  context,
  include: distinct(listOf(oneOf('subscriptions', 'balances'), 2)),
};
export const CHECKS: Rules = { features: listOf(slug, 200), checks: listOf(() => null, 100) };
export const BATCHED_CHECK: Rules = { ...subject, context };
export const BATCH: Rules = { updates: listOf(() => null, 100) };

export type Fields = Readonly<Record<string, unknown>>;

/** @throws {ApiError} with an issue for each field */
export function ensureRules(body: Fields, rules: Rules, required: readonly string[] = []): void {
  const issues = issuesOf(body, rules, required);
  if (issues.length > 0) throw invalidRequest(issues);
}

export function issuesOf(body: Fields, rules: Rules, required: readonly string[]): readonly Issue[] {
  const wrong = Object.entries(rules).flatMap(([field, rule]): readonly Issue[] => {
    const value = body[field];
    if (value === undefined) return required.includes(field) ? [{ path: field, message: 'Required' }] : [];
    const problem = rule(value) ?? [];
    return typeof problem === 'string'
      ? [{ path: field, message: problem }]
      : problem.map(({ path, message }) => ({ path: `${field}.${path}`, message }));
  });
  const unknown = Object.keys(body).filter((field) => !Object.hasOwn(rules, field));
  const all = [...wrong, ...unknown.map((path) => ({ path, message: 'Unknown property' }))];
  return all.length > 0 ? all : together(body, rules);
}

/** What fields may not be beside each other. */
function together(body: Fields, rules: Rules): readonly Issue[] {
  const has = (field: string) => body[field] !== undefined;
  const issues: readonly (readonly [boolean, string, string])[] = [
    [
      (rules === UPDATE || rules === HOLD) && !has('userIdentifier') && !has('userJwt'),
      'userIdentifier',
      'Send userIdentifier or userJwt',
    ],
    [has('userIdentifier') && has('userJwt'), 'userJwt', 'Send userIdentifier or userJwt, not both'],
    [has('by') && has('resourceId'), 'resourceId', 'Send by or resourceId, not both'],
    [has('release') && !has('resourceId'), 'release', 'Requires a resourceId'],
    [has('occurredAt') && has('ageMs'), 'ageMs', 'Send occurredAt or ageMs, not both'],
    [has('givesBack') && Number(body.by) >= 0, 'by', 'Must be negative with givesBack'],
    ...['resourceId', 'occurredAt', 'ageMs'].map(
      (other) => [has('givesBack') && has(other), other, `Send givesBack or ${other}, not both`] as const,
    ),
  ];
  return issues.flatMap(([isWrong, path, message]) => (isWrong ? [{ path, message }] : []));
}
