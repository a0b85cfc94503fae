/**
 * Links Stripe products or prices to a plan and unlinks others, all or none: customers who subscribe to a linked one get the
 * plan. Each addition names the plan version it was chosen on; if that is no longer current, the call is a conflict
 * that carries the current plan.
 */
import { and, eq, sql } from 'drizzle-orm';
import { MAX_PLAN_PRODUCTS, type Plan, type ProductMapping } from '#contracts/console/plans';
import type { Issue } from '#contracts/public/errors';
import { rowExists } from '#worker/db/commit-if';
import type { Db } from '#worker/db/database';
import { plan } from '#worker/db/schema/plans';
import { planProduct, stripeIntegration, stripeProduct } from '#worker/db/schema/stripe';
import { listStripePrices } from '#worker/domains/integrations/stripe/lists/list-prices';
import { workspaceOf } from '#worker/domains/publishing/publications';
import { ApiError, changedMeanwhile, invalidRequest, notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext, Scope } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { getPlan } from './store.ts';

export interface PlanProductsEdit {
  readonly planId: string;
  /** Each with the plan's version that it was chosen on. */
  readonly add: readonly (ProductMapping & { readonly version: number })[];
  readonly remove: readonly ProductMapping[];
}

/**
 * Adding what is linked and removing what is not changes nothing, so that a repeated call does no harm.
 * @returns the plan after the change
 * @throws {ApiError} not-found; invalid-request naming products that there are none of; conflict with the current
 * plan when an addition was chosen on another version, and when there would be too many products
 */
export async function updatePlanProducts(
  ctx: RequestContext,
  scope: MemberScope,
  { planId, add, remove }: PlanProductsEdit,
): Promise<Plan> {
  const { db } = ctx;
  const { orgId } = scope;
  const [current, known] = await Promise.all([getPlan(db, scope, planId), readProducts(db, scope, add)]);
  const linked = new Map(current.grantProductMappings.map((each) => [keyOf(each), each]));
  const additions = distinct(add).filter((product) => {
    const existing = linked.get(keyOf(product));
    const { timesQuantity = existing?.timesQuantity ?? false } = product;
    return existing === undefined || (existing.timesQuantity ?? false) !== timesQuantity;
  });
  const removals = distinct(remove).filter((product) => linked.has(keyOf(product)));
  const isKnown = (product: ProductMapping) => known.has(productKeyOf(product));
  const names = await readPriceNames(ctx, scope, additions.filter(isKnown), linked);
  const issues = issuesOf(add, remove, (product) => {
    if (linked.has(keyOf(product))) return null;
    if (!isKnown(product)) return 'Unknown product';
    return product.priceId !== undefined && !names.has(keyOf(product)) ? 'Unknown price' : null;
  });
  if (issues.length > 0) throw invalidRequest(issues);
  if (additions.some(({ version }) => version !== current.currentVersion)) {
    throw changedMeanwhile('The plan', current);
  }
  if (additions.length === 0 && removals.length === 0) return current;

  const added = JSON.stringify(
    additions.map((each) => [...partsOf(each), names.get(keyOf(each)) ?? '', each.timesQuantity ? 1 : 0]),
  );
  const removed = JSON.stringify(removals.map(partsOf));
  const ofPlan = and(eq(planProduct.orgId, orgId), eq(planProduct.planId, planId));
  const parts = sql`${planProduct.integrationId}, ${planProduct.productId}, ${planProduct.priceId}`;
  const isNamed = sql`(${parts}) IN (${links(removed)})`;
  const isAtVersion = sql`EXISTS (SELECT 1 FROM ${plan} WHERE ${plan.id} = ${planId} AND ${plan.orgId} = ${orgId}
    AND ${plan.currentVersion} = ${current.currentVersion})`;
  // What another call links or unlinks in the same moment counts too.
  const hasRoom = sql`(SELECT count(*) FROM (
    SELECT ${parts} FROM ${planProduct} WHERE ${ofPlan}
    UNION ${links(added)} EXCEPT ${links(removed)})) <= ${MAX_PLAN_PRODUCTS}`;

  const isGone = 'A product was deleted in Stripe, or its integration was deleted, in the meantime';
  const tooMany = `A plan can have at most ${MAX_PLAN_PRODUCTS} Stripe products`;
  await change(ctx, scope, {
    when: {
      exists: [rowExists(plan, orgId, planId), () => notFound('The plan')],
      isFresh: [
        additions.length === 0 ? sql`1` : isAtVersion,
        async () => changedMeanwhile('The plan', await getPlan(db, scope, planId)),
      ],
      isKnown: [
        sql`(SELECT count(*) FROM (${currentProducts(orgId, added)})) = ${new Set(additions.map(productKeyOf)).size}`,
        () => new ApiError('conflict', isGone),
      ],
      hasRoom: [additions.length === 0 ? sql`1` : hasRoom, () => new ApiError('conflict', tooMany)],
    },
    write: [
      db.delete(planProduct).where(and(ofPlan, isNamed)),
      db
        .insert(planProduct)
        .select(
          sql`SELECT ${orgId}, ${planId}, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, ${ctx.now}
            FROM json_each(${added}) WHERE true`,
        )
        .onConflictDoUpdate({
          target: [planProduct.planId, planProduct.integrationId, planProduct.productId, planProduct.priceId],
          set: { timesQuantity: sql`excluded.times_quantity` },
        }),
    ],
    audit: {
      action: 'plan.products-changed',
      targetId: planId,
      detail: { added: JSON.parse(added), removed: JSON.parse(removed) },
    },
    publish: [workspaceOf(scope)],
  });
  return getPlan(db, scope, planId);
}

/** Without a price: any price of the product. */
const partsOf = ({ integrationId, productId, priceId = '' }: ProductMapping) => [
  integrationId,
  productId,
  priceId,
];

const keyOf = (link: ProductMapping) => partsOf(link).join(' ');

const productKeyOf = ({ integrationId, productId }: ProductMapping) => `${integrationId} ${productId}`;

function distinct<Product extends ProductMapping>(products: readonly Product[]): Product[] {
  return [...new Map(products.map((product) => [keyOf(product), product])).values()];
}

/** Removing an unknown product is no error: it may have been deleted before. */
function issuesOf(
  add: readonly ProductMapping[],
  remove: readonly ProductMapping[],
  problemOf: (product: ProductMapping) => string | null,
): Issue[] {
  const removed = new Set(remove.map(keyOf));
  return add.flatMap((product, index): Issue[] => {
    const isBoth = removed.has(keyOf(product));
    const message = isBoth ? 'Cannot be added and removed in one request' : problemOf(product);
    const field = message === 'Unknown price' ? 'priceId' : 'productId';
    return message === null ? [] : [{ path: `addProducts.${index}.${field}`, message }];
  });
}

/** @param list JSON text: the parts of links */
function links(list: string) {
  return sql`SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(${list})`;
}

/** The names of added prices that Stripe has, by link; that of a linked price stays. */
async function readPriceNames(
  ctx: RequestContext,
  scope: Scope,
  additions: readonly ProductMapping[],
  linked: ReadonlyMap<string, ProductMapping>,
): Promise<ReadonlyMap<string, string>> {
  const isNew = (link: ProductMapping) => link.priceId !== undefined && !linked.has(keyOf(link));
  const products = new Map(additions.filter(isNew).map((link) => [productKeyOf(link), link]));
  const found = await Promise.all(
    [...products.values()].map(async ({ integrationId, productId }) =>
      (await listStripePrices(ctx, scope, integrationId, productId, 'recurring')).map(
        ({ priceId, name }) => [keyOf({ integrationId, productId, priceId }), name] as const,
      ),
    ),
  );
  return new Map(found.flat());
}

/** The products in the list that exist in one of the organisation's current integrations. */
function currentProducts(orgId: string, list: string) {
  return sql`SELECT product.integration_id AS integrationId, product.id AS productId
    FROM ${stripeProduct} AS product
    JOIN ${stripeIntegration} AS integration ON integration.id = product.integration_id
    WHERE (product.integration_id, product.id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${list}))
      AND product.org_id = ${orgId} AND product.deleted_at IS NULL
      AND integration.org_id = ${orgId} AND integration.deleted_at IS NULL`;
}

async function readProducts(
  db: Db,
  { orgId }: Scope,
  products: readonly ProductMapping[],
): Promise<ReadonlySet<string>> {
  if (products.length === 0) return new Set();
  const rows = await db.all<ProductMapping>(currentProducts(orgId, JSON.stringify(products.map(partsOf))));
  return new Set(rows.map(productKeyOf));
}
