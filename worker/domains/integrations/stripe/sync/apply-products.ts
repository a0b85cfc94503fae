/** Statements that store products read from Stripe, by the same rules as customers (apply-customers.ts). */
import { sql } from 'drizzle-orm';
import type { Db, Statement } from '#worker/db/database';
import { insertSelect } from '#worker/db/insert-select';
import { stripeProduct } from '#worker/db/schema/stripe';
import type { ReadProduct } from './read-objects.ts';

export interface ProductsRead {
  readonly orgId: string;
  readonly integrationId: string;
  readonly products: readonly ReadProduct[];
  /** The instant before the request to Stripe. */
  readonly readAt: number;
  readonly now: number;
}

export function applyProducts(
  db: Db,
  { orgId, integrationId, products, readAt, now }: ProductsRead,
): Statement[] {
  if (products.length === 0) return [];
  const incoming = sql`incoming AS (SELECT value ->> 'id' AS id, value ->> 'name' AS name,
    value ->> 'description' AS description, value ->> 'active' AS active, value ->> 'livemode' AS livemode,
    value ->> 'createdAt' AS created_at, CASE value ->> 'isDeleted' WHEN 1 THEN ${now} END AS deleted_at
    FROM json_each(${JSON.stringify(products)}))`;
  const written = (column: string) => sql.raw(`excluded.${column}`);
  const differs = ['name', 'description', 'active', 'livemode'].map((column) =>
    sql.raw(`stripe_product.${column} IS NOT excluded.${column}`),
  );
  return [
    insertSelect(
      db,
      stripeProduct,
      {
        integrationId,
        orgId,
        readAt,
        id: sql`id`,
        name: sql`name`,
        description: sql`description`,
        active: sql`active`,
        livemode: sql`livemode`,
        createdAt: sql`created_at`,
        deletedAt: sql`deleted_at`,
      },
      { with: incoming, from: sql`incoming` },
    ).onConflictDoUpdate({
      target: [stripeProduct.integrationId, stripeProduct.id],
      set: {
        // A deleted product keeps its name for display.
        name: sql`CASE WHEN excluded.deleted_at IS NULL THEN excluded.name ELSE stripe_product.name END`,
        description: written('description'),
        active: written('active'),
        livemode: written('livemode'),
        readAt: written('read_at'),
        deletedAt: sql`CASE WHEN excluded.deleted_at IS NOT NULL THEN coalesce(stripe_product.deleted_at, excluded.deleted_at) END`,
      },
      setWhere: sql`excluded.read_at > stripe_product.read_at AND (${sql.join(differs, sql` OR `)}
        OR (stripe_product.deleted_at IS NULL) IS NOT (excluded.deleted_at IS NULL))`,
    }),
  ];
}
