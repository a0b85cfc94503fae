/** One page for a person, whether it is opened by their identifier, email or user id. */
import type { CustomerEntitlements } from '#contracts/console/customers';
import { readIdentifier } from '#contracts/public/identifiers';

/** The customer that an email or user id belongs to in the environment. A name that calls cannot send has a page of its own. */
export function personOf(identifier: string, answered: CustomerEntitlements | undefined): string {
  return readIdentifier(identifier).ok ? (answered?.identifier ?? identifier) : identifier;
}

/** Checks by an email may have more plans than the customer's own; the grants and overrides are the customer's. */
export function withOwnEntries(
  answered: CustomerEntitlements | undefined,
  own: CustomerEntitlements | undefined,
): CustomerEntitlements | undefined {
  if (answered === undefined || own === undefined) return answered;
  return { ...answered, viaEmail: own.viaEmail, viaUserIds: own.viaUserIds };
}
