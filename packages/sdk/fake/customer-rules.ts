/** What the fields of calls about customers must be, and the changes as the API reads them. */
import { isOneLine, visibleLength } from '#contracts/public/characters';
import type { CustomerChange } from '#contracts/public/customers';
import type { Issue } from '#contracts/public/errors';
import { isUserId, MAX_IDENTIFIER, readIdentifier } from '#contracts/public/identifiers';
import { invalidRequest } from '#engine/access/api-error';
import { checkValue } from '#engine/values/kinds/check-value';
import {
  amount,
  ensureRules,
  type Fields,
  flag,
  identifier,
  issuesOf,
  object,
  oneOf,
  opaque,
  propertyKey,
  type Rule,
  type Rules,
  slug,
  text,
} from './body-rules.ts';

const MAX_CHANGES = 100;
/** Of the year 9999. */
const LAST_INSTANT = 253_402_300_799_999;

const orNull =
  (rule: Rule): Rule =>
  (value) =>
    value === null ? null : rule(value);
const line =
  (min: number, max: number, minVisible: number): Rule =>
  (value) => {
    if (typeof value !== 'string') return 'Must be text';
    const trimmed = value.trim();
    if (trimmed.length < min) return `Must be at least ${min} characters`;
    if (trimmed.length > max) return `Must be at most ${max} characters`;
    if (trimmed !== '' && visibleLength(trimmed) < minVisible) return 'Must have visible characters';
    if (!isOneLine(trimmed)) return 'Must not contain control characters';
    return /\p{Surrogate}/u.test(trimmed) ? 'Contains invalid Unicode' : null;
  };
const email: Rule = (value) => {
  const problem = identifier(value);
  if (problem !== null) return problem;
  const read = readIdentifier(value as string);
  return read.ok && read.kind === 'email' ? null : 'Must be an email';
};
const userId: Rule = (value) =>
  typeof value === 'string' && isUserId(value)
    ? null
    : 'Must be printable ASCII without outer spaces, and no email or Stripe customer ID';
const short =
  (max: number): Rule =>
  (value) =>
    text(value) ?? (String(value).length > max ? `Must be at most ${max} characters` : null);
const STRIPE: Rules = { integrationId: short(64), customerId: short(MAX_IDENTIFIER) };
const stripe: Rule = (value) =>
  object(value) ?? issuesOf(value as Fields, STRIPE, ['integrationId', 'customerId']);
const until: Rule = (value) =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= LAST_INSTANT
    ? null
    : 'Must be a time in epoch milliseconds, at most the end of the year 9999';
const correction: Rule = (value) => amount(-1e12)(value) ?? (value === 0 ? 'Must not be 0' : null);
/** Whether the value fits the property is decided with the property. */
const configured: Rule = (value) =>
  typeof value === 'object' && value !== null
    ? checkValue({ type: 'meterable' }, value)
    : /^(string|number|boolean)$/.test(typeof value)
      ? null
      : 'Must be a number, true or false, text, or a state of on, off or metered';

const balanceAmount = amount(1);
const priority: Rule = (value) =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= 100
    ? null
    : 'Must be a whole number of 0 to 100';
const balanceName: Rule = (value) =>
  opaque(value) ??
  (String(value).startsWith('bal_')
    ? 'Must not begin with bal_, as the IDs of balances without your own ID do'
    : null);
const COST: Rules = {
  currency: (value) =>
    /^[a-z]{3}$/.test(String(value)) ? null : 'Must be three lower-case letters, such as usd',
  amountMinor: (value) =>
    Number.isSafeInteger(value) && (value as number) >= 0
      ? null
      : 'Must be a whole number, greater than or equal to 0',
};
const costBasis: Rule = (value) =>
  object(value) ?? issuesOf(value as Fields, COST, ['currency', 'amountMinor']);
const idempotencyKey = opaque;
const plan = slug;
const granted: Rules = { until: orNull(until), reason: line(3, 300, 3) };
const property: Rules = { feature: slug, property: propertyKey };

type Kind = CustomerChange['change'];
interface Change {
  /** Of the call's body. */
  readonly body: Rules;
  /** Of the call's path, beside the customer. */
  readonly path: Rules;
  readonly required: readonly string[];
}

/** By kind. What a batch repeats of a call's path is checked with its body. */
const CHANGES: Readonly<Record<Kind, Change>> = {
  'save-customer': {
    body: {
      name: orNull(line(0, 100, 1)),
      email: orNull(email),
      userId: orNull(userId),
      stripe: orNull(stripe),
      idempotencyKey,
    },
    path: {},
    required: [],
  },
  'grant-plan': { body: { ...granted, idempotencyKey }, path: { plan }, required: ['reason'] },
  'revoke-plan': { body: { idempotencyKey }, path: { plan }, required: [] },
  'set-override': {
    body: { value: configured, ...granted, idempotencyKey },
    path: property,
    required: ['value', 'reason'],
  },
  'remove-override': { body: { idempotencyKey }, path: property, required: [] },
  'set-balance': {
    body: {
      ...property,
      amount: balanceAmount,
      category: oneOf('paid', 'promotional'),
      startsAt: until,
      endsAt: orNull(until),
      priority,
      paysOverage: flag,
      entityId: opaque,
      needsPlan: flag,
      frozen: flag,
      costBasis: orNull(costBasis),
      reason: line(3, 300, 3),
      idempotencyKey,
    },
    path: { balance: balanceName },
    required: ['feature', 'property', 'amount', 'category', 'reason'],
  },
  'delete-entity': { body: { idempotencyKey }, path: { entity: opaque }, required: [] },
  'take-back': {
    body: { amount: balanceAmount, reason: line(3, 300, 3), idempotencyKey },
    path: { balance: opaque },
    required: ['amount', 'reason'],
  },
  'correct-meter': {
    body: { ...property, by: correction, reason: line(3, 300, 3), idempotencyKey },
    path: {},
    required: ['feature', 'property', 'by', 'reason'],
  },
};

/** @throws {ApiError} with an issue for each field */
export function ensureChangeBody(body: Fields, kind: Kind): void {
  const { body: rules, required } = CHANGES[kind];
  ensureRules(body, rules, required);
}

/** @param change with what its path names @throws {ApiError} with an issue for each field */
export function readChange(change: Fields & { readonly change: Kind }): CustomerChange {
  const issues = anyChange(change);
  if (issues.length > 0) throw invalidRequest(issues);
  return cleaned(change);
}

/** Of a batch. @throws {ApiError} with an issue for each field */
export function ensureChanges(body: Fields): void {
  const changes: Rule = (value) => {
    if (!Array.isArray(value) || value.length === 0 || value.length > MAX_CHANGES)
      return `Must be a list of 1 to ${MAX_CHANGES}`;
    return value.flatMap((each, at) =>
      anyChange(each).map(({ path, message }) => ({
        path: path === '' ? `${at}` : `${at}.${path}`,
        message,
      })),
    );
  };
  ensureRules(body, { changes }, ['changes']);
}

function anyChange(value: unknown): readonly Issue[] {
  const wrong = object(value);
  if (typeof wrong === 'string') return [{ path: '', message: wrong }];
  const { change: kind } = value as Fields;
  const unknown = oneOf(...Object.keys(CHANGES))(kind);
  if (typeof unknown === 'string') return [{ path: 'change', message: unknown }];
  const { body, path, required } = CHANGES[kind as Kind];
  const rules: Rules = { change: text, customer: identifier, ...path, ...body };
  return issuesOf(value as Fields, rules, ['customer', ...Object.keys(path), ...required]);
}

/** What the API trims, trimmed. */
export function cleaned(change: Fields): CustomerChange {
  const trimmed = (field: string) => {
    const value = change[field];
    return typeof value === 'string' ? { [field]: value.trim() } : {};
  };
  const { name } = trimmed('name');
  return {
    ...change,
    ...trimmed('reason'),
    ...(name !== undefined && { name: name === '' ? null : name }),
  } as unknown as CustomerChange;
}
