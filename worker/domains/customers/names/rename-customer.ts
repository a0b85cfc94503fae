/**
 * Statements that move what is stored under one identifier to another: grants, overrides, balances, and sightings. Ledgers merge the usage,
 * as that of an alias, when the message that is committed with them arrives. Of two grants of one plan the later end applies, and the billing
 * windows of the earlier one that has not ended; of two overrides of one property, that of the new identifier. Of two balances with one name,
 * which are two amounts, the former identifier's loses the name.
 */
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { searchWords } from '#engine/identity/search-words';
import type { StripeCustomersChanged } from '#runtime/messages';
import type { Db, Statement } from '#worker/db/database';
import { insertSelect } from '#worker/db/insert-select';
import {
  customer,
  customerBalance,
  customerGrant,
  customerOverride,
  type EntryTable,
  knownCustomer,
} from '#worker/db/schema/customers';
import { knownCustomerStatements } from '#worker/domains/customer-facts/known-customers';
import { factsVersion, takeFactsVersion } from '#worker/domains/customer-facts/next-facts-version';

export interface Rename {
  readonly orgId: string;
  /** As stored. */
  readonly from: string;
  /** Canonical. */
  readonly to: string;
  readonly outboxId: string;
}

/** @returns the statements, to be committed in this order, and the message that publishes them */
export function renameCustomer(
  db: Db,
  { orgId, from, to, outboxId }: Rename,
  now: number,
): { message: StripeCustomersChanged; statements: Statement[] } {
  const message: StripeCustomersChanged = {
    type: 'stripe.customers-changed',
    outboxId,
    orgId,
    customers: [to, from],
  };
  const version = factsVersion(orgId);
  const isOf = (table: EntryTable, identifier: string) =>
    and(eq(table.orgId, orgId), eq(table.customerIdentifier, identifier));
  const sameGrant = (identifier: string): SQL =>
    sql`FROM ${customerGrant} o WHERE o.org_id = ${orgId} AND o.customer_identifier = ${identifier}
      AND o.plan_id = ${customerGrant.planId} AND o.environment_id IS ${customerGrant.environmentId}`;
  const sameOverride = sql`FROM ${customerOverride} o WHERE o.org_id = ${orgId} AND o.customer_identifier = ${to}
    AND o.property_id = ${customerOverride.propertyId} AND o.environment_id IS ${customerOverride.environmentId}`;
  const sameName = sql`FROM ${customerBalance} o WHERE o.org_id = ${orgId} AND o.customer_identifier = ${to}
    AND o.name = ${customerBalance.name} AND o.environment_id IS ${customerBalance.environmentId}`;
  const { until, anchorAt, createdAt } = customerGrant;
  const later = sql`SELECT CASE WHEN o.until IS NOT NULL AND ${until} IS NOT NULL THEN max(o.until, ${until}) END ${sameGrant(from)}`;
  const anchor = sql`coalesce(${anchorAt}, ${createdAt})`;
  const otherAnchor = sql`coalesce(o.anchor_at, o.created_at)`;
  const earlier = sql`SELECT CASE WHEN o.until <= ${now} THEN ${anchor} WHEN ${until} <= ${now} THEN ${otherAnchor}
    ELSE min(${anchor}, ${otherAnchor}) END ${sameGrant(from)}`;
  return {
    message,
    statements: [
      takeFactsVersion(db, orgId, now),
      db
        .update(customerGrant)
        .set({ until: sql`(${later})`, anchorAt: sql`(${earlier})` })
        .where(and(isOf(customerGrant, to), sql`EXISTS (SELECT 1 ${sameGrant(from)})`)),
      db.delete(customerGrant).where(and(isOf(customerGrant, from), sql`EXISTS (SELECT 1 ${sameGrant(to)})`)),
      db
        .delete(customerOverride)
        .where(and(isOf(customerOverride, from), sql`EXISTS (SELECT 1 ${sameOverride})`)),
      db.update(customerGrant).set({ customerIdentifier: to }).where(isOf(customerGrant, from)),
      db.update(customerOverride).set({ customerIdentifier: to }).where(isOf(customerOverride, from)),
      db
        .update(customerBalance)
        .set({
          customerIdentifier: to,
          name: sql`CASE WHEN NOT EXISTS (SELECT 1 ${sameName}) THEN ${customerBalance.name} END`,
        })
        .where(isOf(customerBalance, from)),
      db
        .insert(customer)
        .values({ orgId, identifier: to, factsVersion: version, createdAt: now, updatedAt: now })
        .onConflictDoUpdate({
          target: [customer.orgId, customer.identifier],
          set: { factsVersion: version, updatedAt: now },
        }),
      db
        .insert(customer)
        .values({ orgId, identifier: from, factsVersion: version, createdAt: 0, updatedAt: now, movedTo: to })
        .onConflictDoUpdate({
          target: [customer.orgId, customer.identifier],
          set: { factsVersion: version, createdAt: 0, updatedAt: now, movedTo: to },
        }),
      insertSelect(
        db,
        knownCustomer,
        {
          orgId,
          identifier: to,
          words: sql`${JSON.stringify(searchWords([to]))}`,
          createdAt: sql`k.created_at`,
          lastSeenAt: sql`k.last_seen_at`,
          nearest: sql`k.nearest`,
          nearShare: sql`k.near_share`,
        },
        { from: sql`${knownCustomer} k`, where: sql`k.org_id = ${orgId} AND k.identifier = ${from}` },
      ).onConflictDoUpdate({
        target: [knownCustomer.orgId, knownCustomer.identifier],
        set: { lastSeenAt: sql`max(known_customer.last_seen_at, excluded.last_seen_at)` },
      }),
      db.delete(knownCustomer).where(and(eq(knownCustomer.orgId, orgId), eq(knownCustomer.identifier, from))),
      ...knownCustomerStatements(db, orgId, [{ identifier: to }], now),
    ],
  };
}
