/**
 * A check of the preview environment as the console tries it: the same code as for customers' applications, with what
 * decided it beside the answer. It is neither recorded nor counted.
 */
import { and, eq, isNull } from 'drizzle-orm';
import type { AccessCheckAnswer, AccessCheckRequest, CustomerData, TestCheckAnswer } from '#contracts/access';
import type { ApiKeyType } from '#contracts/api-keys';
import { type CustomerFacts, NO_FACTS } from '#contracts/customer-facts';
import { activeProducts } from '#engine/entitlements/active-products';
import { explain } from '#engine/entitlements/explain';
import { type PlanSources, planSources } from '#engine/entitlements/plan-sources';
import { environment } from '#worker/db/schema/environments';
import { readLinkedCustomers } from '#worker/domains/customers/read-linked-customers';
import { readUsage, type Usage } from '#worker/domains/metering/read-usage';
import { invalidField, notFound } from '#worker/http/api-error';
import type { RequestContext, Scope } from '#worker/http/request-context';
import { type Asked, askByFacts } from './ask-by-facts.ts';
import {
  type CheckContext,
  hasSameReads,
  identifyCheck,
  isStripeCustomer,
  needsLedger,
  type ResolvedCheck,
  resolveCheck,
  textOf,
  writeCheck,
} from './check-access.ts';
import { notFoundWarnings } from './customer-names.ts';
import { snapshotCacheOf } from './snapshot-cache-of.ts';
import { reachVerdict } from './token-verdict.ts';

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
  const [preview] = await ctx.db
    .select({ id: environment.id })
    .from(environment)
    .where(
      and(eq(environment.orgId, scope.orgId), eq(environment.type, 'preview'), isNull(environment.deletedAt)),
    );
  const loaded =
    preview === undefined ? null : await snapshotCacheOf(ctx.env).get(preview.id, ctx.place, ctx.waitUntil);
  if (loaded === null) throw notFound('The preview environment');

  const { userJwt } = request;
  const authenticated = { loaded, key: { id: 'console', type: keyType } };
  const context: CheckContext = {
    requestId: ctx.requestId,
    now: ctx.now,
    isExplained: false,
    verdict: userJwt === undefined ? undefined : await reachVerdict(loaded, userJwt, ctx.now),
  };
  const { now, env, place } = ctx;
  const { snapshot } = loaded;
  const identified = identifyCheck(authenticated, request, context);
  const { identifier } = identified.identity;
  const resolve = (facts: CustomerFacts, customer: string) =>
    resolveCheck(authenticated, identified, facts, customer, now);
  let resolved: ResolvedCheck = resolveCheck(authenticated, identified, NO_FACTS, identifier, now);
  let usage: Usage | null = null;
  if (identifier !== null && needsLedger(authenticated, resolved)) {
    const { warnings } = identified;
    const subject = { env, snapshot, identifier, place, isStrict: false, now, warnings };
    const asked = await askByFacts<ResolvedCheck<string>, Usage>(subject, resolve(NO_FACTS, identifier), {
      resolve,
      isAnswered: hasSameReads,
      async ask({ customer, reads }, facts): Promise<Asked<Usage>> {
        const question = { customer, place, reads, now, consistency: 'local', facts } as const;
        const read = await readUsage(env, snapshot, question, warnings);
        return { result: read, news: read.news, isFromLedger: read.location !== null };
      },
    });
    resolved = asked.standing;
    usage = asked.result;
    warnings.push(...notFoundWarnings(snapshot, identifier, resolved, warnings));
  }
  const checked = writeCheck(authenticated, resolved, context, usage?.readings ?? null, null);
  return {
    response: JSON.parse(textOf(checked)) as AccessCheckAnswer,
    diagnostics: await diagnose(ctx, scope, resolved),
  };
}

async function diagnose(
  ctx: RequestContext,
  scope: Scope,
  resolved: ResolvedCheck,
): Promise<TestedAccess['diagnostics']> {
  const { resolution, identity, facts } = resolved;
  const customerData = await readCustomerData(ctx, scope, resolved);
  if (resolution === null) {
    return { storeData: { customerData }, plans: [], planSources: [], explanation: [] };
  }
  const { prepared, planIndexes } = resolution;
  const sources: PlanSources = planSources(prepared, identity, facts, 'preview', ctx.now);
  return {
    storeData: { customerData },
    plans: [...resolution.planSlugs],
    planSources: planIndexes.flatMap((index) => {
      const slug = prepared.plans[index]?.plan.slug;
      return slug === undefined ? [] : [{ plan: slug, from: [...(sources.get(index) ?? [])] }];
    }),
    explanation: explain(resolution, sources),
  };
}

async function readCustomerData(
  { db }: RequestContext,
  scope: Scope,
  resolved: ResolvedCheck,
): Promise<CustomerData> {
  const { facts, customer, resolution } = resolved;
  const { stripe } = facts;
  const isCustomer = isStripeCustomer(resolved);
  if (!stripe) return { isCustomer, identifier: customer, stripe: null, subscriptions: [] };
  const linked = await readLinkedCustomers(db, scope, stripe.customerId);
  const read = linked.find(({ integrationId }) => integrationId === stripe.integrationId) ?? null;
  const names = new Map(
    read?.subscriptions.flatMap(({ products }) => products.map(({ id, name }) => [id, name] as const)),
  );
  const prepared = resolution?.prepared;
  const plansOf = (productId: string) =>
    (prepared?.plansByProduct.get(stripe.integrationId)?.get(productId) ?? []).flatMap(
      (index) => prepared?.plans[index]?.plan.slug ?? [],
    );
  return {
    ...{ isCustomer, identifier: customer, stripe: read },
    subscriptions: stripe.subscriptions.map((subscription) => ({
      id: subscription.id,
      status: subscription.status,
      isGranting: activeProducts([subscription], 'preview').length > 0,
      products: subscription.productIds.map((id) => ({
        ...{ id, name: names.get(id) ?? null },
        plans: plansOf(id),
      })),
    })),
  };
}
