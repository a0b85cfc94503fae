/** Statements that store products as they were read from Stripe, by the same rules as customers (apply-customers). */
import { sql } from 'drizzle-orm';
import type { Db, Statement } from '#worker/db/database';
import { stripeProduct } from '#worker/db/schema/stripe';
import type { ReadProduct } from './read-objects.ts';

export interface ProductsRead {
  readonly orgId: string;
  readonly integrationId: string;
  readonly products: readonly ReadProduct[];
  /** The instant before Stripe was asked. */
  readonly readAt: number;
  readonly now: number;
}

export function applyProducts(
  db: Db,
  { orgId, integrationId, products, readAt, now }: ProductsRead,
): Statement[] {
  if (products.length === 0) return [];
  const incoming = sql`incoming AS (SELECT value ->> 'id' AS id, value ->> 'name' AS name, value ->> 'description' AS description, value ->> 'active' AS active, value ->> 'livemode' AS livemode, value ->> 'createdAt' AS created_at, CASE value ->> 'isDeleted' WHEN 1 THEN ${now} END AS deleted_at FROM json_each(${JSON.stringify(products)}))`;
  const written = (column: string) => sql.raw(`excluded.${column}`);
  const differs = ['name', 'description', 'active', 'livemode'].map((column) =>
    sql.raw(`stripe_product.${column} IS NOT excluded.${column}`),
  );
  return [
    db
      .insert(stripeProduct)
      .select(
        sql`WITH ${incoming} SELECT ${integrationId}, ${orgId}, id, name, description, active, livemode, created_at, ${readAt}, deleted_at FROM incoming WHERE true`,
      )
      .onConflictDoUpdate({
        target: [stripeProduct.integrationId, stripeProduct.id],
        set: {
          // Whoever reads of a product that is no more reads its name.
          name: sql`CASE WHEN excluded.deleted_at IS NULL THEN excluded.name ELSE stripe_product.name END`,
          description: written('description'),
          active: written('active'),
          livemode: written('livemode'),
          readAt: written('read_at'),
          deletedAt: sql`CASE WHEN excluded.deleted_at IS NOT NULL THEN coalesce(stripe_product.deleted_at, excluded.deleted_at) END`,
        },
        setWhere: sql`excluded.read_at > stripe_product.read_at AND (${sql.join(differs, sql` OR `)} OR (stripe_product.deleted_at IS NULL) IS NOT (excluded.deleted_at IS NULL))`,
      }),
  ];
}
