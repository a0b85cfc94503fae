/**
 * A customer's other identifiers, which events are found by, and the warnings about identifiers: ids that no connected account
 * has, and emails that several customers have.
 */
import type { CustomerFacts } from '#contracts/internal/customer-facts';
import type { EnvironmentSnapshot } from '#contracts/internal/snapshot';
import { readIdentifier } from '#contracts/public/identifiers';
import type { Warning } from '#contracts/public/subjects';
import { type WarningCode, warningOf } from '#contracts/public/warnings';
import { factsForIdentifier, isAmbiguous } from '../entitlements/namesakes.ts';
import type { ResolvedSubject } from './resolve-subject.ts';

const NONE: readonly never[] = [];
const WITHOUT_FACTS: readonly string[] = [
  'customer-facts-unknown',
  'customer-facts-stale',
] satisfies WarningCode[];
const AMBIGUOUS: readonly Warning[] = [warningOf('email-ambiguous')];
const TAKEN_EMAIL: readonly Warning[] = [warningOf('email-belongs-to-stripe-customer')];
const USER_ID_AMBIGUOUS: readonly Warning[] = [warningOf('user-id-ambiguous')];
const IN_OTHER_MODE: readonly Warning[] = [warningOf('customer-in-other-mode')];
const NOT_FOUND: readonly Warning[] = [warningOf('customer-not-found')];

/** @param identifier the identifier of the request, in canonical spelling */
export function secondaryNames(
  identifier: string,
  { customer, facts }: Pick<ResolvedSubject<string>, 'customer' | 'facts'>,
): readonly string[] {
  const email = facts.stripe?.email ?? facts.provisioned?.email ?? null;
  if (customer === identifier) return email === null ? NONE : [email];
  return email === null || email === identifier ? [identifier] : [identifier, email];
}

/**
 * With a connected Stripe account, an id in Stripe's format that no account has in the environment's mode is a mistake. An id or email that
 * is known in the other mode only has a warning of its own.
 * @param warnings of the stages so far: if the facts could not be read, the id may exist
 * @returns further warnings
 */
export function notFoundWarnings(
  { stripeIntegrationIds }: EnvironmentSnapshot,
  identifier: string | null,
  { facts }: Pick<ResolvedSubject, 'facts'>,
  warnings: readonly Warning[],
): readonly Warning[] {
  if (identifier === null || stripeIntegrationIds === undefined || stripeIntegrationIds.length === 0)
    return NONE;
  if (facts.stripe) return NONE;
  const read = readIdentifier(identifier);
  const isUnknown = warnings.some(({ code }) => WITHOUT_FACTS.includes(code));
  const notFound = isUnknown || !read.ok || read.kind !== 'stripe-customer' ? NONE : NOT_FOUND;
  return facts.isInOtherMode === true ? [...notFound, ...IN_OTHER_MODE] : notFound;
}

/** @param identifier the identifier of the request, in canonical spelling */
export function ambiguityWarnings(
  identifier: string | null,
  { facts }: Pick<ResolvedSubject, 'facts'>,
): readonly Warning[] {
  if (!facts.namesakes?.length) return NONE;
  const theirs = factsForIdentifier(facts, identifier);
  if (!isAmbiguous(theirs)) return hasTakenEmail(facts, identifier) ? TAKEN_EMAIL : NONE;
  return theirs.namesakes?.some(({ userId }) => userId !== undefined) ? USER_ID_AMBIGUOUS : AMBIGUOUS;
}

/** A check by the id of a customer that was created by API, of which nobody said that it is the Stripe customer with its email. */
function hasTakenEmail(
  { stripe, provisioned, namesakes = NONE }: CustomerFacts,
  identifier: string | null,
): boolean {
  if (stripe || identifier !== provisioned?.id) return false;
  return namesakes.some(({ userId, customerId }) => !userId && customerId !== identifier);
}
