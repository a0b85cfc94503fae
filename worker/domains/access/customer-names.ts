/** What a customer is called besides: the names that events are found by, and ids that no connected account knows. */
import type { EnvironmentSnapshot } from '#contracts/snapshot';
import type { Warning } from '#contracts/subjects';
import { warningOf } from '#contracts/warnings';
import { readIdentifier } from '#engine/identity/read-identifier';
import type { Standing } from './recall-customer.ts';

const NONE: readonly never[] = [];
const NOT_FOUND: readonly Warning[] = [warningOf('customer-not-found')];

/** @param identifier as asked by, canonical in its spelling */
export function secondaryNames(identifier: string, { customer, facts }: Standing): readonly string[] {
  const email = facts.stripe?.email ?? null;
  if (customer === identifier) return email === null ? NONE : [email];
  return email === null || email === identifier ? [identifier] : [identifier, email];
}

/**
 * Where Stripe decides who is on which plan, an id in Stripe's form that no account knows is a mistake, or a customer's of
 * the other mode.
 * @param warnings so far: where the facts could not be read nothing is known of the id
 * @returns what is to be warned of besides
 */
export function notFoundWarnings(
  { stripeIntegrationIds }: EnvironmentSnapshot,
  identifier: string | null,
  { facts }: Pick<Standing, 'facts'>,
  warnings: readonly Warning[],
): readonly Warning[] {
  if (identifier === null || stripeIntegrationIds === undefined || stripeIntegrationIds.length === 0)
    return NONE;
  if (facts.stripe) return NONE;
  const read = readIdentifier(identifier);
  const isUnknown = warnings.some(({ code }) => code === 'customer-facts-unknown');
  return isUnknown || !read.ok || read.kind !== 'stripe-customer' ? NONE : NOT_FOUND;
}
