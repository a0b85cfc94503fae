/**
 * The console's test check, against the preview environment or any other. Runs the same pipeline as the public API and adds diagnostics:
 * the plans, their sources and the data behind them. Nothing is recorded or counted.
 */

import type { CustomerData, TestCheckAnswer } from '#contracts/console/test-access';
import type { WorkflowExecution } from '#contracts/console/workflow-executions';
import type { AccessCheckAnswer, AccessCheckRequest } from '#contracts/public/access';
import type { ApiKeyType } from '#contracts/public/api-key-type';
import type { AccessEffects } from '#engine/access/access-effects';
import { runAccessPipeline } from '#engine/access/access-pipeline';
import { NO_QUERY } from '#engine/access/call-query';
import { explainNames } from '#engine/access/explain-names';
import { renderCheck, textOf } from '#engine/access/render-check';
import { isStripeCustomer, type ResolvedSubject } from '#engine/access/resolve-subject';
import {
  accessIn,
  isGiving,
  itemsOf,
  type SubscribedProduct,
  type SubscriptionRules,
} from '#engine/entitlements/active-products';
import { explain, readUsage } from '#engine/entitlements/explain';
import { factsForIdentifier, subscriptionsOf } from '#engine/entitlements/namesakes';
import { planSources, withheldPlans } from '#engine/entitlements/plan-sources';
import { linksOf } from '#engine/entitlements/product-links';
import type { Readings } from '#engine/entitlements/render-features';
import { listEnvironmentIds, liveEnvironment, livePreview } from '#worker/db/live-environments';
import { readLinkedCustomers } from '#worker/domains/customer-facts/read-linked-customers';
import { snapshotCacheOf } from '#worker/domains/snapshots/snapshot-cache-of';
import { invalidField, notFound } from '#worker/http/api-error';
import type { RequestContext, Scope } from '#worker/http/request-context';
import { accessEffects } from '../effects/production-effects.ts';
import { verifyUserToken } from '../effects/verify-user-token.ts';

export interface TestedAccess {
  response: AccessCheckAnswer;
  diagnostics: TestCheckAnswer['diagnostics'];
}

/** @throws {ApiError} invalid-request; not-found while the preview environment has not been published yet */
export async function testAccess(
  ctx: RequestContext,
  scope: Scope,
  request: AccessCheckRequest,
  keyType: ApiKeyType,
): Promise<TestedAccess> {
  if (request.consume !== undefined) throw invalidField('request.consume', 'The test check counts no usage');
  const test = { request, keyType, effects: accessEffects(ctx.env), seed: ctx.requestId };
  const { response, diagnostics } = await runTestAccess(ctx, scope, test);
  return { response, diagnostics };
}

export interface AccessTest {
  readonly request: AccessCheckRequest;
  readonly keyType: ApiKeyType;
  readonly effects: AccessEffects;
  /** Of the random numbers of workflows. */
  readonly seed: string;
  /** The preview environment without it. */
  readonly environmentId?: string;
}

/** @throws {ApiError} not-found: there is no such environment, or it has not been published yet */
export async function runTestAccess(
  ctx: RequestContext,
  scope: Scope,
  { request, keyType, effects, seed, environmentId }: AccessTest,
): Promise<TestedAccess & { readonly executions: readonly WorkflowExecution[] }> {
  const isIt =
    environmentId === undefined ? livePreview(scope.orgId) : liveEnvironment(scope.orgId, environmentId);
  const [id] = await listEnvironmentIds(ctx.db, isIt);
  const loaded = id === undefined ? null : await snapshotCacheOf(ctx.env).get(id, ctx.place, ctx.waitUntil);
  if (loaded === null)
    throw notFound(environmentId === undefined ? 'The preview environment' : 'The environment');

  const { userIdentifier, userJwt, features, include, context } = request;
  const { now, place, requestId } = ctx;
  const result = await runAccessPipeline(effects, {
    loaded,
    keyType,
    userIdentifier,
    features,
    place,
    context,
    now,
    seed,
    isUsageShown: true,
    verdict: userJwt === undefined ? undefined : await verifyUserToken(ctx.env, loaded, userJwt, now),
  });
  const authenticated = { loaded, key: { type: keyType } };
  const rendered = renderCheck(authenticated, result, { requestId, now, query: NO_QUERY, include });
  return {
    response: JSON.parse(textOf(rendered)) as AccessCheckAnswer,
    diagnostics: await diagnose(ctx, scope, result.subject, loaded.snapshot, result.usage?.readings),
    executions: result.executions,
  };
}

async function diagnose(
  ctx: RequestContext,
  scope: Scope,
  subject: ResolvedSubject,
  rules: SubscriptionRules,
  readings: Readings | null | undefined,
): Promise<TestedAccess['diagnostics']> {
  const { resolution, identity, facts, provisioned } = subject;
  const customerData = await readCustomerData(ctx, scope, subject, rules);
  const names = explainNames(subject);
  const found = names === undefined ? {} : { names };
  if (resolution === null) {
    return { storeData: { customerData }, plans: [], planSources: [], explanation: [], ...found };
  }
  const { prepared, planIndexes } = resolution;
  const theirs = factsForIdentifier(facts, identity.identifier);
  const sources = planSources(prepared, { ...identity, provisioned }, theirs, rules, ctx.now);
  return {
    storeData: { customerData },
    plans: [...resolution.planSlugs],
    planSources: planIndexes.flatMap((index) => {
      const slug = prepared.plans[index]?.plan.slug;
      return slug === undefined ? [] : [{ plan: slug, from: [...(sources.get(index) ?? [])] }];
    }),
    explanation: explain(
      resolution,
      sources,
      readUsage(readings, ctx.now),
      withheldPlans(prepared, theirs, rules, ctx.now),
    ),
    ...found,
  };
}

async function readCustomerData(
  ctx: RequestContext,
  scope: Scope,
  subject: ResolvedSubject,
  rules: SubscriptionRules,
): Promise<CustomerData> {
  const { facts, identity, customer, resolution } = subject;
  const isCustomer = isStripeCustomer(subject);
  const theirs = factsForIdentifier(facts, identity.identifier);
  const { stripe, namesakes } = theirs;
  const [first] = [...(stripe ? [stripe] : []), ...(namesakes ?? [])];
  if (first === undefined) return { isCustomer, identifier: customer, stripe: null, subscriptions: [] };
  const linked = await readLinkedCustomers(ctx, scope, identity.identifier ?? first.customerId);
  const isFirst = (each: { readonly id: string; readonly integrationId: string }) =>
    each.id === first.customerId && each.integrationId === first.integrationId;
  const names = new Map(
    linked.flatMap(({ integrationId, subscriptions }) =>
      subscriptions.flatMap(({ products }) =>
        products.map(({ id, name }) => [`${integrationId} ${id}`, name] as const),
      ),
    ),
  );
  const prepared = resolution?.prepared;
  const plansOf = (product: SubscribedProduct) =>
    prepared === undefined || product.quantity === 0
      ? []
      : linksOf(prepared, product).flatMap(({ index }) => prepared.plans[index]?.plan.slug ?? []);
  return {
    isCustomer,
    identifier: customer,
    stripe: linked.find(isFirst) ?? null,
    subscriptions: subscriptionsOf(theirs).map((subscription) => ({
      id: subscription.id,
      status: subscription.status,
      isGranting: isGiving(accessIn(rules, subscription, ctx.now), subscription),
      products: itemsOf(subscription).map((item) => ({
        id: item.productId,
        name: names.get(`${subscription.integrationId} ${item.productId}`) ?? null,
        plans: plansOf({ ...item, integrationId: subscription.integrationId }),
        quantity: item.quantity ?? null,
      })),
    })),
  };
}
