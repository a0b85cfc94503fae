/** Adds to the rows of one page what other tables say: accounts, plans and overrides. */
import { and, eq, gt, isNull, or, sql } from 'drizzle-orm';
import type { KnownCustomer } from '#contracts/console/customer-list';
import { givingItems } from '#engine/entitlements/active-products';
import { namedPolicy, subscriptionAccess } from '#engine/entitlements/subscription-access';
import type { Db } from '#worker/db/database';
import {
  customerGrant,
  customerOverride,
  type knownCustomer,
  provisionedCustomer,
} from '#worker/db/schema/customers';
import { environment } from '#worker/db/schema/environments';
import { planProduct, stripeCustomer, stripeIntegration } from '#worker/db/schema/stripe';
import {
  findNameOwners,
  isSeenIn,
  knownAs,
  rowsKnownAs,
} from '#worker/domains/customer-facts/customer-names';
import type { Scope } from '#worker/http/request-context';

export type KnownCustomerRow = typeof knownCustomer.$inferSelect;

/** Two batches, and one more if names that are no ids have entries, whatever the number of rows. @param rows of one page */
export async function describeCustomers(
  db: Db,
  { orgId }: Scope,
  rows: readonly KnownCustomerRow[],
  now: number,
): Promise<KnownCustomer[]> {
  if (rows.length === 0) return [];
  const row = sql`${stripeCustomer}`;
  const given = sql`(SELECT value AS name FROM json_each(${JSON.stringify(rows.map(({ identifier }) => identifier))}))`;
  const [accounts, customers, links, created] = await db.batch([
    db
      .select({
        id: stripeIntegration.id,
        name: stripeIntegration.name,
        policy: stripeIntegration.subscriptionPolicy,
      })
      .from(stripeIntegration)
      .where(eq(stripeIntegration.orgId, orgId)),
    db
      .select({
        integrationId: stripeCustomer.integrationId,
        id: knownAs(row, null).as('known_as'),
        stripeId: stripeCustomer.id,
        email: stripeCustomer.email,
        userId: stripeCustomer.userId,
        subscriptions: stripeCustomer.subscriptions,
      })
      .from(stripeCustomer)
      // The unary plus keeps SQLite from reading all customers of the organisation.
      .where(
        sql`+${stripeCustomer.orgId} = ${orgId} AND ${row}.rowid IN ${rowsKnownAs(orgId, given)} AND ${isSeenIn(row, null)}`,
      ),
    db
      .select({
        integrationId: planProduct.integrationId,
        productId: planProduct.productId,
        priceId: planProduct.priceId,
        planId: planProduct.planId,
      })
      .from(planProduct)
      .where(
        and(
          eq(planProduct.orgId, orgId),
          sql`${planProduct.integrationId} IN (SELECT n.integration_id FROM ${stripeCustomer} n
              WHERE n.rowid IN ${rowsKnownAs(orgId, given)})`,
        ),
      ),
    db
      .select({
        identifier: provisionedCustomer.identifier,
        email: provisionedCustomer.email,
        userId: provisionedCustomer.userId,
      })
      .from(provisionedCustomer)
      .where(
        sql`${provisionedCustomer.orgId} = ${orgId} AND ${provisionedCustomer.identifier} IN ${given}
            AND (SELECT v.deleted_at FROM ${environment} v WHERE v.id = ${provisionedCustomer.environmentId}) IS NULL`,
      ),
  ]);
  const ids = new Set(rows.map(({ identifier }) => identifier));
  const otherNames = [
    ...customers
      .filter(({ id }) => ids.has(id))
      .flatMap(({ stripeId, email, userId }) => [stripeId, email, userId]),
    ...created.flatMap(({ email, userId }) => [email, userId]),
  ].flatMap((each) => each ?? []);
  const names = JSON.stringify([...new Set([...ids, ...otherNames])]);
  const isActive = (table: typeof customerGrant | typeof customerOverride) =>
    and(
      eq(table.orgId, orgId),
      sql`${table.customerIdentifier} IN (SELECT value FROM json_each(${names}))`,
      or(isNull(table.until), gt(table.until, now)),
      sql`(${table.environmentId} IS NULL OR (SELECT v.deleted_at FROM ${environment} v WHERE v.id = ${table.environmentId}) IS NULL)`,
    );
  const [grants, overrides] = await db.batch([
    db
      .select({ of: customerGrant.customerIdentifier, planId: customerGrant.planId })
      .from(customerGrant)
      .where(isActive(customerGrant)),
    db
      .select({ of: customerOverride.customerIdentifier })
      .from(customerOverride)
      .where(isActive(customerOverride)),
  ]);
  const ofOthers = [...grants, ...overrides].map(({ of }) => of).filter((each) => !ids.has(each));
  const owners = await findNameOwners(db, orgId, ofOthers);
  const accountNames = new Map(accounts.map(({ id, name }) => [id, name]));
  const policies = new Map(accounts.map(({ id, name, policy }) => [id, namedPolicy(name, policy)]));
  const stored = Map.groupBy(customers, ({ id }) => id);
  const createdIds = new Set(created.map(({ identifier }) => identifier));
  const linksOf = Map.groupBy(links, ({ integrationId, productId }) => `${integrationId} ${productId}`);
  return rows.map((row) => {
    const { integrationId, identifier, email } = row;
    const isTheirs = ({ of }: { of: string }) => (owners.get(of) ?? of) === identifier;
    const subscribed = (stored.get(identifier) ?? []).flatMap((customer) =>
      customer.subscriptions
        .filter((each) => subscriptionAccess(each, policies.get(customer.integrationId), now).isGranting)
        .flatMap(givingItems)
        .flatMap(({ productId, priceId }) =>
          (linksOf.get(`${customer.integrationId} ${productId}`) ?? []).filter(
            (link) => link.priceId === '' || link.priceId === priceId,
          ),
        )
        .map(({ planId }) => planId),
    );
    const granted = grants.filter(isTheirs).map(({ planId }) => planId);
    return {
      identifier,
      name: row.name,
      email,
      stripe:
        integrationId === null
          ? null
          : {
              integrationId,
              integrationName: accountNames.get(integrationId) ?? integrationId,
              testMode: row.livemode === false,
            },
      isCreated: createdIds.has(identifier),
      plans: [...new Set([...subscribed, ...granted])].map((planId) => ({
        planId,
        isGranted: !subscribed.includes(planId),
      })),
      overrides: overrides.filter(isTheirs).length,
      isPastDue: row.isPastDue,
      nearest: nearestOf(row),
      lastSeenAt: row.lastSeenAt === 0 ? null : row.lastSeenAt,
      createdAt: row.createdAt,
    };
  });
}

function nearestOf({ nearest }: KnownCustomerRow): KnownCustomer['nearest'] {
  if (nearest === null) return null;
  const { envId: environmentId, feature, property, used, limit, at: readAt } = nearest;
  return { environmentId, feature, property, used, limit, readAt };
}
