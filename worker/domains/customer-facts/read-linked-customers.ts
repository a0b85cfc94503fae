/** Reads the Stripe customers of an identifier, by id or by email, for the console. */
import { and, desc, eq, or, type SQL, sql } from 'drizzle-orm';
import type { LinkedCustomer } from '#contracts/console/linked-customer';
import { isGiving, itemsOf } from '#engine/entitlements/active-products';
import { namedPolicy, subscriptionAccess } from '#engine/entitlements/subscription-access';
import type { Db } from '#worker/db/database';
import { customerJoin, customerSource, provisionedCustomer } from '#worker/db/schema/customers';
import { environment } from '#worker/db/schema/environments';
import { stripeCustomer, stripeIntegration, stripeProduct } from '#worker/db/schema/stripe';
import type { RequestContext, Scope } from '#worker/http/request-context';
import { byOwnership, createdCustomerOf, isSeenIn, rowsKnownAs, userIdInEffect } from './customer-names.ts';

/** Customers shown for one identifier. */
const SHOWN = 20;

/**
 * Includes the customers that share the email of the customer with this id. The customer with this id comes first, then those that it is the
 * same as, then the email's owner, if both modes count.
 * @param identifier canonical
 */
export async function readLinkedCustomers(
  { db, now }: Pick<RequestContext, 'db' | 'now'>,
  { orgId }: Scope,
  identifier: string,
): Promise<LinkedCustomer[]> {
  const row = sql`${stripeCustomer}`;
  const rows = await db
    .select({
      integrationId: stripeCustomer.integrationId,
      integrationName: stripeIntegration.name,
      accountId: stripeIntegration.accountId,
      policy: stripeIntegration.subscriptionPolicy,
      id: stripeCustomer.id,
      email: stripeCustomer.email,
      userId: userIdInEffect(row).as('user_id'),
      name: stripeCustomer.name,
      joins: joinsOf(row).as('joins'),
      livemode: stripeCustomer.livemode,
      createdAt: stripeCustomer.createdAt,
      subscriptions: stripeCustomer.subscriptions,
      emailRole: stripeCustomer.emailRole,
    })
    .from(stripeCustomer)
    .innerJoin(stripeIntegration, eq(stripeIntegration.id, stripeCustomer.integrationId))
    .where(
      and(
        sql`+${row}.org_id = ${orgId} AND ${row}.rowid IN ${candidatesOf(orgId, identifier)}`,
        or(
          eq(stripeCustomer.id, identifier),
          sql`${stripeCustomer.userId} IN ${userIdsOf(orgId, identifier)} AND ${userIdInEffect(row)} IS NOT NULL`,
          sql`${stripeCustomer}.rowid IN ${rowsKnownAs(orgId, sql`(SELECT ${identifier} AS name)`)} AND ${isSameAs(row, identifier)}`,
          sql`${stripeCustomer.email} IN ${emailsOf(orgId, identifier)}`,
        ),
        isSeenIn(row, null),
      ),
    )
    .orderBy(desc(eq(stripeCustomer.id, identifier)), desc(isSameAs(row, identifier)), byOwnership(row))
    .limit(SHOWN);
  const names = await readProductNames(db, orgId, rows);
  return rows.map(({ livemode, subscriptions, policy, ...found }) => ({
    ...found,
    testMode: !livemode,
    subscriptions: subscriptions.map((subscription) => {
      const { id, status, pauseCollection = null } = subscription;
      const named = namedPolicy(found.integrationName, policy);
      const access = subscriptionAccess(subscription, named, now);
      return {
        id,
        status,
        isGranting: isGiving(access, subscription),
        reason: access.reason,
        pauseCollection,
        products: itemsOf(subscription).map(({ productId, priceId = null, quantity = null }) => ({
          id: productId,
          name: names.get(`${found.integrationId} ${productId}`) ?? null,
          priceId,
          quantity,
        })),
      };
    }),
  }));
}

/** SQL: the rows that may have to do with a name. By the organisation alone, SQLite would read all its customers. */
function candidatesOf(orgId: string, name: string): SQL {
  const by = (column: 'email' | 'user_id', names: SQL) =>
    sql`SELECT e.rowid FROM ${stripeCustomer} e WHERE e.org_id = ${orgId} AND e.${sql.raw(column)} IN ${names}`;
  return sql`(SELECT rowid FROM ${rowsKnownAs(orgId, sql`(SELECT ${name} AS name)`)} UNION ${by('email', emailsOf(orgId, name))}
    UNION ${by('user_id', userIdsOf(orgId, name))})`;
}

/** SQL: the environments that see it, as `v`. */
function environmentsOf(row: SQL): SQL {
  return sql`${environment} v WHERE v.org_id = ${row}.org_id AND v.deleted_at IS NULL AND ${isSeenIn(row, sql`v.id`)}`;
}

/** Condition: in an environment, it is the created customer. */
function isSameAs(row: SQL, identifier: string): SQL {
  return sql`EXISTS (SELECT 1 FROM ${environmentsOf(row)} AND ${createdCustomerOf(row, sql`v.id`)} = ${identifier})`;
}

/** SQL: which created customer it is in each environment, since when, and whether its metadata says so. */
function joinsOf(row: SQL) {
  const said = sql`(SELECT j.joined_at FROM ${customerSource} j WHERE j.environment_id = v.id
    AND j.integration_id = ${row}.integration_id AND j.customer_id = ${row}.id)`;
  const seen = sql`(SELECT t.joined_at FROM ${customerJoin} t WHERE t.org_id = ${row}.org_id AND t.identifier = j.same_as
    AND t.environment_id = j.environment_id AND t.integration_id = ${row}.integration_id AND t.customer_id = ${row}.id)`;
  return sql<string>`(SELECT json_group_array(json_object('environmentId', j.environment_id, 'sameAs', j.same_as,
      'by', iif(j.said_at IS NULL, 'metadata', NULL), 'joinedAt', coalesce(j.said_at, ${seen})))
    FROM (SELECT v.id AS environment_id, ${createdCustomerOf(row, sql`v.id`)} AS same_as, ${said} AS said_at
      FROM ${environmentsOf(row)}) j WHERE j.same_as IS NOT NULL)`.mapWith(
    (text: string): LinkedCustomer['joins'] => JSON.parse(text),
  );
}

/** The name itself, and the user ids of the customers that were created by API with this id. */
function userIdsOf(orgId: string, id: string): SQL {
  return sql`(SELECT ${id} UNION ALL SELECT p.user_id FROM ${provisionedCustomer} p WHERE p.org_id = ${orgId} AND p.identifier = ${id}
    AND p.user_id IS NOT NULL)`;
}

/** The name itself, and the emails of the customers with this id, at Stripe or created by API. */
function emailsOf(orgId: string, id: string): SQL {
  return sql`(SELECT ${id} UNION ALL SELECT n.email FROM ${stripeCustomer} n WHERE n.org_id = ${orgId} AND n.id = ${id}
    UNION ALL SELECT p.email FROM ${provisionedCustomer} p WHERE p.org_id = ${orgId} AND p.identifier = ${id} AND p.email IS NOT NULL)`;
}

type Row = Pick<typeof stripeCustomer.$inferSelect, 'integrationId' | 'subscriptions'>;

async function readProductNames(
  db: Db,
  orgId: string,
  rows: readonly Row[],
): Promise<ReadonlyMap<string, string>> {
  const wanted = rows.flatMap(({ integrationId, subscriptions }) => {
    const productIds = [...new Set(subscriptions.flatMap((each) => each.productIds))];
    if (productIds.length === 0) return [];
    return [
      and(
        eq(stripeProduct.integrationId, integrationId),
        sql`${stripeProduct.id} IN (SELECT value FROM json_each(${JSON.stringify(productIds)}))`,
      ),
    ];
  });
  if (wanted.length === 0) return new Map();
  const { integrationId, id, name } = stripeProduct;
  const found = await db
    .select({ integrationId, id, name })
    .from(stripeProduct)
    .where(and(eq(stripeProduct.orgId, orgId), or(...wanted)));
  return new Map(found.map((each) => [`${each.integrationId} ${each.id}`, each.name]));
}
