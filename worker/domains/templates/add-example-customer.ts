/** Gives the example customer a plan in an environment and what it has bought, and uses up one of its limits. */
import { and, eq } from 'drizzle-orm';
import { newBalance } from '#engine/access/balance-record';
import { windowOf } from '#engine/metering/window-of';
import { customerGrant } from '#worker/db/schema/customers';
import { findBalanceRow } from '#worker/domains/customers/balances/balance-rows';
import { giveBalance } from '#worker/domains/customers/balances/give-balance';
import { correctMeter } from '#worker/domains/customers/entries/correct-meter';
import { grantPlan } from '#worker/domains/customers/entries/grant-plan';
import { publishEnvironment } from '#worker/domains/publishing/publish-environment';
import type { LoadedEnvironment } from '#worker/domains/snapshots/snapshot-cache';
import { snapshotCacheOf } from '#worker/domains/snapshots/snapshot-cache-of';
import { ApiError } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { type OwnItems, propertyPath } from './find-own-items.ts';
import type { TemplateEnvironment } from './prepare-environments.ts';
import type { Template } from './templates.ts';

export const CUSTOMER = 'example-acme';
export const CUSTOMER_WITHOUT_PLAN = 'example-globex';

const REASON = 'Example customer of a template';

/** @throws {ApiError} unavailable while no data location has the version */
export async function addExampleCustomer(
  ctx: RequestContext,
  scope: MemberScope,
  { plans, atLimit, used, bought }: Template,
  { id: environmentId, name }: TemplateEnvironment,
  { planIds, propertyIds }: OwnItems,
): Promise<void> {
  const planId = planIds.get(plans[0].slug) ?? '';
  const idOf = (feature: string, property: string) => propertyIds.get(propertyPath(feature, property)) ?? '';
  const anchorAt = await ensureGrant(ctx, scope, environmentId, planId);
  if (bought !== undefined)
    await ensureBalance(ctx, scope, { ...bought, propertyId: idOf(bought.feature, bought.property) });
  if (!(await isLoaded(ctx, scope, environmentId, idOf(atLimit.feature, atLimit.property))))
    throw new ApiError('unavailable', `${name} is still being updated. Try again in a moment.`);
  for (const each of used === undefined ? [atLimit] : [atLimit, used]) {
    const propertyId = idOf(each.feature, each.property);
    await correctMeter(ctx, scope, CUSTOMER, {
      environmentId,
      propertyId,
      by: each.used,
      reason: REASON,
      idempotencyKey: `template-${propertyId}-${periodOf(plans[0], each, anchorAt, ctx.now)}`,
    });
  }
}

/** One for all environments: it is found by its name. */
async function ensureBalance(
  ctx: RequestContext,
  scope: MemberScope,
  {
    name,
    amount,
    propertyId,
  }: { readonly name: string; readonly amount: number; readonly propertyId: string },
): Promise<void> {
  const place = { identifier: CUSTOMER, environmentId: null };
  const names = { names: [CUSTOMER], environmentId: null, balance: name };
  if ((await findBalanceRow(ctx, scope, names)) !== null) return;
  const given = { propertyId, amount, category: 'paid', reason: REASON } as const;
  const record = newBalance(given, { id: ctx.newId('bal'), name, kind: 'manual' }, ctx.now);
  await giveBalance(ctx, scope, place, record);
}

/** @returns when it was granted: the plan's billing months begin then */
async function ensureGrant(
  ctx: RequestContext,
  scope: MemberScope,
  environmentId: string,
  planId: string,
): Promise<number> {
  const [existing] = await ctx.db
    .select({ createdAt: customerGrant.createdAt })
    .from(customerGrant)
    .where(
      and(
        eq(customerGrant.orgId, scope.orgId),
        eq(customerGrant.customerIdentifier, CUSTOMER),
        eq(customerGrant.environmentId, environmentId),
        eq(customerGrant.planId, planId),
      ),
    );
  if (existing !== undefined) return existing.createdAt;
  const granted = { environmentId, planId, reason: REASON, until: null };
  return (await grantPlan(ctx, scope, CUSTOMER, granted)).createdAt;
}

/** Publishes the environment now, in place of the queue, and waits until this isolate has the meter. */
async function isLoaded(
  ctx: RequestContext,
  { orgId }: MemberScope,
  environmentId: string,
  propertyId: string,
): Promise<boolean> {
  const { env, place, waitUntil } = ctx;
  const has = (loaded: LoadedEnvironment | null) => loaded?.prepared?.propertyById.has(propertyId) === true;
  const message = { type: 'environment.changed', outboxId: ctx.newId('out'), orgId, environmentId } as const;
  // Where a data location does not acknowledge, the deployment's own message is repeated until it does.
  await publishEnvironment(ctx, message).catch(() => undefined);
  const cache = snapshotCacheOf(env);
  return (
    has(await cache.get(environmentId, place, waitUntil)) ||
    has(await cache.getNewer(environmentId, place, waitUntil, has))
  );
}

/** Usage of a window that has ended counts no more, so the limit is used up again in the next. */
function periodOf(
  { values }: Template['plans'][0],
  { feature, property }: Pick<Template['atLimit'], 'feature' | 'property'>,
  anchorAt: number,
  now: number,
): string {
  const value = values[feature]?.[property];
  if (typeof value !== 'object' || value.state !== 'metered' || value.meter.periodType === 'lifetime')
    return 'once';
  return new Date(windowOf({ ...value.meter, anchorAt }, now).startsAt).toISOString().slice(0, 10);
}
