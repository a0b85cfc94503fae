/** Lists what changed for a customer: the audit log's rows of its names, the changes of its subscriptions, and balances that ended. */
import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import type { CustomerChange } from '#contracts/console/customer-changes';
import type { customerEndpoints } from '#contracts/console/customers';
import type { AnswerOf } from '#contracts/public/endpoint';
import type { Db } from '#worker/db/database';
import { listEnvironmentIds, liveEnvironment } from '#worker/db/live-environments';
import { customerBalance, subscriptionChange } from '#worker/db/schema/customers';
import { auditLog } from '#worker/db/schema/operations';
import { stripeProduct } from '#worker/db/schema/stripe';
import { findNamesOfCustomer } from '#worker/domains/customer-facts/customer-names';
import { isAfterCursor, newestFirst, pageOf } from '#worker/http/newest-first';
import type { RequestContext, Scope } from '#worker/http/request-context';

const PAGE_SIZE = 20;

/**
 * Changes under each name of the customer, of each environment in which the name is the customer's.
 * @param identifier canonical
 * @throws {ApiError} invalid-request naming cursor
 */
export async function listChanges(
  { db, now }: Pick<RequestContext, 'db' | 'now'>,
  { orgId }: Scope,
  identifier: string,
  cursor: string | undefined,
): Promise<AnswerOf<typeof customerEndpoints.listChanges>> {
  const names = await readNames(db, orgId, identifier);
  const [manual, ended, subscriptions] = await Promise.all([
    readManual(db, orgId, names, cursor),
    readEnded(db, orgId, names, { cursor, now }),
    readSubscriptions(db, orgId, [...names.keys()], cursor),
  ]);
  const { items, nextCursor } = pageOf([...manual, ...ended, ...subscriptions].sort(newestFirst), PAGE_SIZE);
  return { items: [...items], nextCursor };
}

/** By name: the environments in which it is the customer's; null: any, also one that is deleted. */
type Names = ReadonlyMap<string, readonly string[] | null>;

async function readNames(db: Db, orgId: string, identifier: string): Promise<Names> {
  const environments = await listEnvironmentIds(db, liveEnvironment(orgId));
  const found = await Promise.all(
    environments.map(async (environmentId) => ({
      environmentId,
      names: await findNamesOfCustomer(db, orgId, identifier, environmentId),
    })),
  );
  const pairs = found.flatMap(({ environmentId, names }) => names.map((name) => ({ name, environmentId })));
  const byName = Map.groupBy(pairs, ({ name }) => name);
  return new Map<string, readonly string[] | null>([
    ...[...byName].map(([name, theirs]) => [name, theirs.map(({ environmentId }) => environmentId)] as const),
    [identifier, null],
  ]);
}

/** Condition: a change of one of the environments, or of all. */
function isOfOne(environments: readonly string[], environmentId: SQL): SQL {
  const listed = sql`(SELECT value FROM json_each(${JSON.stringify(environments)}))`;
  return sql`coalesce(${environmentId} IN ${listed}, TRUE)`;
}

/** One query per name: the index then has them in order. */
async function readManual(
  db: Db,
  orgId: string,
  names: Names,
  cursor: string | undefined,
): Promise<CustomerChange[]> {
  const rows = await Promise.all(
    [...names].map(([name, environments]) =>
      db
        .select()
        .from(auditLog)
        .where(
          and(
            eq(auditLog.orgId, orgId),
            eq(auditLog.targetId, name),
            sql`+${auditLog.action} LIKE 'customer.%'`,
            environments === null
              ? undefined
              : isOfOne(environments, sql`${auditLog.detail} ->> 'environmentId'`),
            isAfterCursor(auditLog, cursor),
          ),
        )
        .orderBy(desc(auditLog.at), desc(auditLog.id))
        .limit(PAGE_SIZE + 1),
    ),
  );
  return rows.flat().map(({ id, at, action, targetId, actorUserId, actorKey, detail }) => ({
    kind: 'manual',
    id,
    at,
    action,
    identifier: targetId ?? '',
    actorUserId,
    actorKey,
    detail: detail ?? {},
  }));
}

/** Ends by the clock, which nothing is logged of. A balance that was used up before had nothing to lose. */
async function readEnded(
  db: Db,
  orgId: string,
  names: Names,
  { cursor, now }: { readonly cursor: string | undefined; readonly now: number },
): Promise<CustomerChange[]> {
  const { id, endsAt, closedAt, environmentId, customerIdentifier } = customerBalance;
  const rows = await Promise.all(
    [...names].map(([name, environments]) =>
      db
        .select()
        .from(customerBalance)
        .where(
          and(
            eq(customerBalance.orgId, orgId),
            eq(customerIdentifier, name),
            environments === null ? undefined : isOfOne(environments, sql`${environmentId}`),
            sql`${endsAt} <= ${now} AND coalesce(nullif(${closedAt}, 0) >= ${endsAt}, TRUE)`,
            isAfterCursor({ at: endsAt, id }, cursor),
          ),
        )
        .orderBy(desc(endsAt), desc(id))
        .limit(PAGE_SIZE + 1),
    ),
  );
  return rows.flat().map(({ id: balanceId, endsAt: at, name, propertyId, entityId, ...row }) => ({
    kind: 'manual',
    ...{ id: balanceId, at, action: 'customer.balance-ended', identifier: row.customerIdentifier },
    ...{ actorUserId: null, actorKey: null },
    detail: { balanceId, name, propertyId, entityId, environmentId: row.environmentId },
  }));
}

async function readSubscriptions(
  db: Db,
  orgId: string,
  names: readonly string[],
  cursor: string | undefined,
): Promise<CustomerChange[]> {
  const found = await Promise.all(
    names.map((customerId) =>
      db
        .select()
        .from(subscriptionChange)
        .where(
          and(
            eq(subscriptionChange.orgId, orgId),
            eq(subscriptionChange.customerId, customerId),
            isAfterCursor(subscriptionChange, cursor),
          ),
        )
        .orderBy(desc(subscriptionChange.at), desc(subscriptionChange.id))
        .limit(PAGE_SIZE + 1),
    ),
  );
  const rows = found.flat();
  const productIds = rows.flatMap(({ before, after: now }) => [
    ...(before?.productIds ?? []),
    ...(now?.productIds ?? []),
  ]);
  const products =
    productIds.length === 0
      ? []
      : await db
          .select({ id: stripeProduct.id, name: stripeProduct.name, of: stripeProduct.integrationId })
          .from(stripeProduct)
          .where(
            sql`${stripeProduct.orgId} = ${orgId} AND ${stripeProduct.integrationId}
              IN (SELECT value FROM json_each(${JSON.stringify([...new Set(rows.map((row) => row.integrationId))])}))
              AND ${stripeProduct.id} IN (SELECT value FROM json_each(${JSON.stringify(productIds)}))`,
          );
  return rows.map(({ orgId: _, ...row }) => ({
    kind: 'subscription',
    ...row,
    productNames: Object.fromEntries(
      products.filter(({ of }) => of === row.integrationId).map(({ id, name }) => [id, name]),
    ),
  }));
}
