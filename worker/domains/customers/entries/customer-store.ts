/** Reads of a customer's manual entries, in the shapes of the console API. */
import { and, desc, eq, isNull, or } from 'drizzle-orm';
import type { Customer, CustomerGrant, CustomerOverride } from '#contracts/console/customers';
import type { Db } from '#worker/db/database';
import { customerGrant, customerOverride, provisionedCustomer } from '#worker/db/schema/customers';
import { environment } from '#worker/db/schema/environments';
import { readLinkedCustomers } from '#worker/domains/customer-facts/read-linked-customers';
import type { RequestContext, Scope } from '#worker/http/request-context';

/** @param identifier canonical */
export async function getCustomer(
  ctx: Pick<RequestContext, 'db' | 'now'>,
  scope: Scope,
  identifier: string,
): Promise<Customer> {
  const [entries, linked, created] = await Promise.all([
    readEntries(ctx.db, scope, identifier),
    readLinkedCustomers(ctx, scope, identifier),
    ctx.db
      .select({
        environmentId: provisionedCustomer.environmentId,
        name: provisionedCustomer.name,
        email: provisionedCustomer.email,
        userId: provisionedCustomer.userId,
      })
      .from(provisionedCustomer)
      .innerJoin(environment, eq(environment.id, provisionedCustomer.environmentId))
      .where(
        and(
          eq(provisionedCustomer.orgId, scope.orgId),
          eq(provisionedCustomer.identifier, identifier),
          isNull(environment.deletedAt),
        ),
      )
      .orderBy(desc(eq(environment.type, 'live')), desc(provisionedCustomer.updatedAt)),
  ]);
  return { identifier, ...entries, linked, created };
}

/**
 * The grants and overrides of an identifier, newest first, including expired ones.
 * @param environmentId those that apply in this environment; those of all environments without it
 */
export async function readEntries(
  db: Db,
  { orgId }: Scope,
  identifier: string,
  environmentId?: string,
): Promise<Pick<Customer, 'grants' | 'overrides'>> {
  const isTheirs = (table: typeof customerGrant | typeof customerOverride) =>
    and(
      eq(table.orgId, orgId),
      eq(table.customerIdentifier, identifier),
      environmentId === undefined
        ? undefined
        : or(isNull(table.environmentId), eq(table.environmentId, environmentId)),
    );
  const [grants, overrides] = await db.batch([
    db
      .select()
      .from(customerGrant)
      .where(isTheirs(customerGrant))
      .orderBy(desc(customerGrant.createdAt), desc(customerGrant.id)),
    db
      .select()
      .from(customerOverride)
      .where(isTheirs(customerOverride))
      .orderBy(desc(customerOverride.createdAt), desc(customerOverride.id)),
  ]);
  return { grants: grants.map(asGrant), overrides: overrides.map(asOverride) };
}

export type GrantRow = typeof customerGrant.$inferSelect;
export type OverrideRow = typeof customerOverride.$inferSelect;

export function asGrant({
  orgId: _,
  customerIdentifier: __,
  anchorAt: ___,
  ...grant
}: GrantRow): CustomerGrant {
  return grant;
}

export function asOverride({
  orgId: _,
  customerIdentifier: __,
  updatedAt: ___,
  ...override
}: OverrideRow): CustomerOverride {
  return override;
}
