/** What one-time prices of an account give: read, set and removed by people. */
import { and, asc, eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { setTopUpSchema, TopUp } from '#contracts/console/top-ups';
import { rowExists } from '#worker/db/commit-if';
import type { Db } from '#worker/db/database';
import { customerBalance } from '#worker/db/schema/customers';
import { featureProperty } from '#worker/db/schema/features';
import { stripeIntegration, stripeTopUp } from '#worker/db/schema/stripe';
import { invalidField, notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext, Scope } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { isNotDeleted } from '../integration/integration-store.ts';
import { getIntegrationRow } from '../integration/read-integrations.ts';
import { listStripePrices } from '../lists/list-prices.ts';

type Row = typeof stripeTopUp.$inferSelect;

/** Of one account. */
const MAX_TOP_UPS = 100;

/** In the order in which they were set. */
export function readTopUps(db: Db, integrationId: string): Promise<Row[]> {
  return db
    .select()
    .from(stripeTopUp)
    .where(eq(stripeTopUp.integrationId, integrationId))
    .orderBy(asc(stripeTopUp.createdAt), asc(stripeTopUp.id));
}

/** SQL condition: a one-time price of the integration gives something. */
export function hasTopUps(integrationId: string) {
  return sql<number>`EXISTS (SELECT 1 FROM ${stripeTopUp} t WHERE t.integration_id = ${integrationId})`;
}

/** SQL condition: a payment of the account has made a balance. */
export function hasFunded(integrationId: string) {
  return sql<number>`EXISTS (SELECT 1 FROM ${customerBalance} b WHERE b.integration_id = ${integrationId} AND b.payment_id IS NOT NULL)`;
}

/** @throws {ApiError} not-found */
export async function listTopUps(ctx: Pick<RequestContext, 'db'>, scope: Scope, integrationId: string) {
  const { paymentsRead } = await getIntegrationRow(ctx.db, scope, integrationId);
  const rows = await readTopUps(ctx.db, integrationId);
  return { topUps: rows.map(asTopUp), read: rows.length === 0 ? null : paymentsRead };
}

function asTopUp({ orgId: _, integrationId: __, ...row }: Row): TopUp {
  return row;
}

/** @throws {ApiError} not-found; invalid-request naming priceId or propertyId; unavailable */
export async function setTopUp(
  ctx: RequestContext,
  scope: MemberScope,
  integrationId: string,
  priceId: string,
  { productId, ...given }: z.output<typeof setTopUpSchema>,
): Promise<TopUp> {
  const { db, now } = ctx;
  const { orgId } = scope;
  await getIntegrationRow(db, scope, integrationId);
  const [property] = await db
    .select({ type: featureProperty.type })
    .from(featureProperty)
    .where(and(eq(featureProperty.id, given.propertyId), eq(featureProperty.orgId, orgId)));
  if (property?.type !== 'meterable') throw invalidField('propertyId', 'There is no such meter');
  const isIt = and(eq(stripeTopUp.integrationId, integrationId), eq(stripeTopUp.priceId, priceId));
  const [before] = await db.select().from(stripeTopUp).where(isIt);
  // A price never changes its kind: one that is known needs no look.
  const priceName = before?.priceName ?? (await nameOfPrice(ctx, scope, integrationId, productId, priceId));
  const row: Row = {
    ...{ id: before?.id ?? ctx.newId('topup'), orgId, integrationId, productId, priceId, priceName },
    ...given,
    ...{ createdAt: before?.createdAt ?? now, updatedAt: now },
  };
  const count = sql`(SELECT count(*) FROM ${stripeTopUp} t WHERE t.integration_id = ${integrationId} AND t.price_id <> ${priceId})`;
  await change(ctx, scope, {
    when: {
      exists: [
        rowExists(stripeIntegration, orgId, integrationId, isNotDeleted),
        () => notFound('The integration'),
      ],
      isBelowLimit: [
        sql`${count} < ${MAX_TOP_UPS}`,
        () => invalidField('priceId', `At most ${MAX_TOP_UPS} prices of an account can give something`),
      ],
    },
    write: [
      db
        .insert(stripeTopUp)
        .values(row)
        .onConflictDoUpdate({
          target: [stripeTopUp.integrationId, stripeTopUp.priceId],
          set: { ...given, updatedAt: now },
        }),
    ],
    audit: {
      action: 'stripe-integration.top-up-set',
      targetId: integrationId,
      detail: { priceId, priceName, ...given, ...(before && { from: { ...asTopUp(before) } }) },
    },
    publish: [],
  });
  return asTopUp(row);
}

/** What it gave stays. @throws {ApiError} not-found */
export async function removeTopUp(
  ctx: RequestContext,
  scope: MemberScope,
  integrationId: string,
  priceId: string,
): Promise<void> {
  const { db } = ctx;
  await getIntegrationRow(db, scope, integrationId);
  const isIt = and(
    eq(stripeTopUp.orgId, scope.orgId),
    eq(stripeTopUp.integrationId, integrationId),
    eq(stripeTopUp.priceId, priceId),
  );
  const [removed] = await db.select().from(stripeTopUp).where(isIt);
  if (removed === undefined) throw notFound('The price');
  await change(ctx, scope, {
    write: [db.delete(stripeTopUp).where(isIt)],
    audit: {
      action: 'stripe-integration.top-up-removed',
      targetId: integrationId,
      detail: { priceId, priceName: removed.priceName, propertyId: removed.propertyId },
    },
    publish: [],
  });
}

async function nameOfPrice(
  ctx: RequestContext,
  scope: Scope,
  integrationId: string,
  productId: string,
  priceId: string,
): Promise<string> {
  const prices = await listStripePrices(ctx, scope, integrationId, productId, 'one_time');
  const price = prices.find((each) => each.priceId === priceId);
  if (price === undefined) throw invalidField('priceId', 'The product has no such one-time price');
  return price.name;
}
