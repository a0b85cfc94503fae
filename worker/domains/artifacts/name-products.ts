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
    const link = linkOf(item);
    const name = names.get(keyOf(link));
    // A price's id follows the product's.
    const at = item.itemName.lastIndexOf(link.productId);
    if (name === undefined || at < 0) return item;
    const rest = item.itemName.slice(at + link.productId.length);
    return { ...item, itemName: `${item.itemName.slice(0, at)}${name}${rest}` };
  });
}

/** The item's id names the plan, the integration, the product and perhaps its price: a modified link's changes do not. */
function linkOf({ itemId }: DiffItem): { readonly integrationId: string; readonly productId: string } {
  const [, integrationId = '', productId = ''] = itemId.split(':');
  return { integrationId, productId };
}

const keyOf = ({
  integrationId,
  productId,
}: {
  readonly integrationId: string;
  readonly productId: string;
}) => `${integrationId} ${productId}`;
