/** Lists what changed for a customer: the audit log's rows of its names, and the changes of its subscriptions. */
import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import type { CustomerChange } from '#contracts/console/customer-changes';
import type { customerEndpoints } from '#contracts/console/customers';
import type { AnswerOf } from '#contracts/public/endpoint';
import type { Db } from '#worker/db/database';
import { listEnvironmentIds, liveEnvironment } from '#worker/db/live-environments';
import { subscriptionChange } from '#worker/db/schema/customers';
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
  { db }: Pick<RequestContext, 'db'>,
  { orgId }: Scope,
  identifier: string,
  cursor: string | undefined,
): Promise<AnswerOf<typeof customerEndpoints.listChanges>> {
  const names = await readNames(db, orgId, identifier);
  const [manual, subscriptions] = await Promise.all([
    readManual(db, orgId, names, cursor),
    readSubscriptions(db, orgId, [...names.keys()], cursor),
  ]);
  const { items, nextCursor } = pageOf([...manual, ...subscriptions].sort(newestFirst), PAGE_SIZE);
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
function isOfOne(environments: readonly string[]): SQL {
  const listed = sql`(SELECT value FROM json_each(${JSON.stringify(environments)}))`;
  return sql`coalesce(${auditLog.detail} ->> 'environmentId' IN ${listed}, TRUE)`;
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
            environments === null ? undefined : isOfOne(environments),
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
