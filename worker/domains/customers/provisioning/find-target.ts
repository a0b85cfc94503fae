/** Finds the customer that a call names: by its identifier, or by an email or user id that is an alias of it. */
import { and, eq } from 'drizzle-orm';
import type { CustomerFacts } from '#contracts/internal/customer-facts';
import { IDENTIFIER_PROBLEMS, isUserId, readIdentifier } from '#contracts/public/identifiers';
import { isEmptyFacts } from '#engine/entitlements/no-facts';
import { knownCustomer, provisionedCustomer } from '#worker/db/schema/customers';
import { resolveAlias } from '#worker/domains/customers/entries/resolve-alias';
import { invalidField, Refusal } from '#worker/http/api-error';
import type { RequestContext, Scope } from '#worker/http/request-context';

export interface Target {
  /** What the call named, canonical. */
  readonly named: string;
  /** Canonical. */
  readonly customer: string;
  readonly facts: CustomerFacts;
  /** Null unless the environment's customer was created by API. */
  readonly created: typeof provisionedCustomer.$inferSelect | null;
  readonly isKnown: boolean;
}

/** @throws {ApiError} invalid-request naming customer */
export async function findTarget(
  { db }: Pick<RequestContext, 'db'>,
  scope: Scope,
  environmentId: string,
  text: string,
): Promise<Target> {
  const read = readIdentifier(text);
  if (!read.ok) throw invalidField('customer', IDENTIFIER_PROBLEMS[read.reason]);
  const { customer, facts } = await resolveAlias(db, scope, environmentId, read.canonical);
  const [[created], known] = await db.batch([
    db
      .select()
      .from(provisionedCustomer)
      .where(
        and(
          eq(provisionedCustomer.environmentId, environmentId),
          eq(provisionedCustomer.identifier, customer),
        ),
      ),
    db
      .select({ identifier: knownCustomer.identifier })
      .from(knownCustomer)
      .where(and(eq(knownCustomer.orgId, scope.orgId), eq(knownCustomer.identifier, customer))),
  ]);
  const isKnown = created !== undefined || known.length > 0 || !isEmptyFacts(facts);
  return { named: read.canonical, customer, facts, created: created ?? null, isKnown };
}

/**
 * The customer that a call creates or changes. An id of the application that a Stripe customer carries in its metadata becomes a customer
 * of its own, which the Stripe customer then is: it outlives the Stripe customer.
 * @throws {ApiError} as findTarget
 */
export async function findSaved(...given: Parameters<typeof findTarget>): Promise<Target> {
  const target = await findTarget(...given);
  const { named, created, facts } = target;
  const isCarried = created === null && facts.stripe && isUserId(named);
  return isCarried ? { ...target, customer: named } : target;
}

/** A typing error in an identifier is no new customer. @throws {ApiError} as findTarget; not-found */
export async function getTarget(...given: Parameters<typeof findTarget>): Promise<Target> {
  const target = await findTarget(...given);
  if (!target.isKnown) throw new Refusal('not-found', 'customer-unknown', 'The customer could not be found');
  return target;
}

/**
 * What a key's grants and overrides are stored under: the application's own id, if the call named the customer by it. The Stripe customer
 * that carries it can be replaced, and the next one has them then.
 */
export function durableNameOf({ named, customer, created, facts }: Target): string {
  const isUserId = created === null && facts.userIds?.some(({ id }) => id === named);
  return isUserId ? named : customer;
}
