/** What uses a plan, a feature or a property: for those who are about to delete or rename it. */
import { and, eq, sql } from 'drizzle-orm';
import type { ItemUses, NamedItemType, WorkflowUse } from '#contracts/console/names';
import type { Workspace } from '#engine/artifacts/compile-artifact';
import { stripeProduct } from '#worker/db/schema/stripe';
import { readWorkspace } from '#worker/domains/publishing/reads';
import { prepareSaved } from '#worker/domains/workflow-code/prepare-code';
import { listCompiledCode } from '#worker/domains/workflows/reads';
import { notFound } from '#worker/http/api-error';
import type { RequestContext, Scope } from '#worker/http/request-context';

export interface Item {
  readonly itemType: NamedItemType;
  readonly itemId: string;
}

/** @throws {ApiError} not-found; unavailable if code of an earlier release cannot be read now */
export async function findUses({ db, env }: RequestContext, scope: Scope, item: Item): Promise<ItemUses> {
  const [state, workflows] = await Promise.all([readWorkspace(db, scope), listCompiledCode(db, scope)]);
  const workspace = state?.workspace;
  const name = workspace && nameOf(workspace, item);
  if (workspace === undefined || name === undefined) throw notFound('The item');
  const uses = await Promise.all(
    workflows.map(async ({ id, name: workflowName, featureId, compiled }): Promise<WorkflowUse[]> => {
      const found = compiled === null ? [] : (await prepareSaved(env, scope, { id, compiled })).literals;
      const lines = found.find(([text]) => text === name)?.[1] ?? [];
      return lines.length > 0 || featureId === item.itemId
        ? [{ id, name: workflowName, lines: [...lines] }]
        : [];
    }),
  );
  return {
    workflows: uses.flat(),
    plans: plansWith(workspace, item),
    products: await nameProducts(db, scope, productsOf(workspace, item)),
  };
}

function nameOf({ plans, features, properties }: Workspace, { itemType, itemId }: Item): string | undefined {
  switch (itemType) {
    case 'plan':
      return plans.find(({ id }) => id === itemId)?.slug;
    case 'feature':
      return features.find(({ id }) => id === itemId)?.slug;
    case 'feature-property':
      return properties.find(({ id }) => id === itemId)?.key;
  }
}

function plansWith({ plans, planValues }: Workspace, { itemType, itemId }: Item): ItemUses['plans'] {
  if (itemType === 'plan') return [];
  const ids = new Set(
    planValues
      .filter(({ featureId, propertyId }) => (itemType === 'feature' ? featureId : propertyId) === itemId)
      .map(({ planId }) => planId),
  );
  return plans.filter(({ id }) => ids.has(id)).map(({ id, name }) => ({ id, name }));
}

function productsOf({ planProducts }: Workspace, { itemType, itemId }: Item) {
  if (itemType !== 'plan') return [];
  const links = planProducts.filter(({ planId }) => planId === itemId);
  // A product counts once, however many of its prices are linked.
  return [...new Map(links.map((link) => [`${link.integrationId} ${link.productId}`, link])).values()];
}

/** A product that is not synced has its id as its name. */
async function nameProducts(
  db: RequestContext['db'],
  { orgId }: Scope,
  links: ReturnType<typeof productsOf>,
): Promise<ItemUses['products']> {
  if (links.length === 0) return [];
  const ids = JSON.stringify(links.map(({ productId }) => productId));
  const rows = await db
    .select({ id: stripeProduct.id, integrationId: stripeProduct.integrationId, name: stripeProduct.name })
    .from(stripeProduct)
    .where(
      and(eq(stripeProduct.orgId, orgId), sql`${stripeProduct.id} IN (SELECT value FROM json_each(${ids}))`),
    );
  return links.map(({ integrationId, productId: id }) => {
    const product = rows.find((row) => row.id === id && row.integrationId === integrationId);
    return { id, integrationId, name: product?.name ?? id };
  });
}
