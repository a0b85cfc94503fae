/** Reads from the database what holds of a customer in one environment: what ledgers are told. */
import { and, asc, eq, isNull, or } from 'drizzle-orm';
import type { CustomerFacts } from '#contracts/customer-facts';
import type { Db } from '#worker/db/database';
import { customer, customerGrant, customerOverride } from '#worker/db/schema/customers';
import type { Scope } from '#worker/http/request-context';

/** Version and facts are of one instant. @param identifier canonical */
export async function loadCustomerFacts(
  db: Db,
  { orgId }: Scope,
  environmentId: string,
  identifier: string,
): Promise<CustomerFacts> {
  const holdsHere = (table: typeof customerGrant | typeof customerOverride) =>
    and(
      eq(table.orgId, orgId),
      eq(table.customerIdentifier, identifier),
      or(isNull(table.environmentId), eq(table.environmentId, environmentId)),
    );
  const [[row], grants, overrides] = await db.batch([
    db
      .select({ version: customer.factsVersion })
      .from(customer)
      .where(and(eq(customer.orgId, orgId), eq(customer.identifier, identifier))),
    db
      .select({ planId: customerGrant.planId, until: customerGrant.until })
      .from(customerGrant)
      .where(holdsHere(customerGrant))
      .orderBy(asc(customerGrant.id)),
    db
      .select({
        propertyId: customerOverride.propertyId,
        value: customerOverride.value,
        until: customerOverride.until,
      })
      .from(customerOverride)
      .where(holdsHere(customerOverride))
      // Of two for one property the later holds: what is said of this environment before what is said of all.
      .orderBy(asc(customerOverride.environmentId), asc(customerOverride.id)),
  ]);
  return { version: row?.version ?? 0, grants, overrides };
}
