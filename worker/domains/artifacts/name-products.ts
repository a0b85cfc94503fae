/** Names the Stripe products in a diff. Artifacts contain product ids only, because names change in Stripe alone. */
import { sql } from 'drizzle-orm';
import type { DiffItem } from '#contracts/console/artifacts';
import type { Db } from '#worker/db/database';
import { stripeIntegration, stripeProduct } from '#worker/db/schema/stripe';
import type { Scope } from '#worker/http/request-context';

interface ProductName {
  readonly integrationId: string;
  readonly productId: string;
  readonly name: string;
  readonly integrationName: string;
}

/** 'Starter › prod_1' becomes 'Starter › Gold (Acme)'; an unknown product keeps its id. */
export async function nameProducts(
  db: Db,
  { orgId }: Scope,
  items: readonly DiffItem[],
): Promise<DiffItem[]> {
  const links = items.filter(({ itemType }) => itemType === 'plan-product').map(linkOf);
  if (links.length === 0) return [...items];
  const pairs = JSON.stringify(links.map(({ integrationId, productId }) => [integrationId, productId]));
  const rows = await db.all<ProductName>(sql`
    SELECT product.integration_id AS integrationId, product.id AS productId, product.name AS name,
      integration.name AS integrationName
    FROM ${stripeProduct} AS product
    JOIN ${stripeIntegration} AS integration ON integration.id = product.integration_id
    WHERE (product.integration_id, product.id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${pairs}))
      AND product.org_id = ${orgId} AND integration.org_id = ${orgId}`);
  const names = new Map(rows.map((row) => [keyOf(row), `${row.name} (${row.integrationName})`]));
  return items.map((item) => {
    if (item.itemType !== 'plan-product') return item;
    const { integrationId, productId } = linkOf(item);
    const name = names.get(keyOf({ integrationId, productId }));
    if (name === undefined || !item.itemName.endsWith(productId)) return item;
    return { ...item, itemName: `${item.itemName.slice(0, -productId.length)}${name}` };
  });
}

/** Reads the fields of an added or removed item from its changes. */
function linkOf({ changes }: DiffItem): { readonly integrationId: string; readonly productId: string } {
  const field = (path: string) => {
    const change = changes.find((each) => each.path === path);
    return String(change?.to ?? change?.from ?? '');
  };
  return { integrationId: field('integrationId'), productId: field('productId') };
}

const keyOf = ({
  integrationId,
  productId,
}: {
  readonly integrationId: string;
  readonly productId: string;
}) => `${integrationId} ${productId}`;
