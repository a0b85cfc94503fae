/** Reads one page of a sync from Stripe and returns the statements that store it. */
import { and, eq, gt, isNull, lt, lte, sql } from 'drizzle-orm';
import type { Stripe } from 'stripe';
import type { Statement } from '#worker/db/database';
import { stripeCustomer, stripeProduct } from '#worker/db/schema/stripe';
import type { SyncJobRow } from '../integration/integration-store.ts';
import { stripeFailureOf } from '../integration/stripe-failure.ts';
import { applyCustomers } from './apply-customers.ts';
import { applyProducts } from './apply-products.ts';
import { type ReadCustomer, type ReadProduct, readCustomer, readProduct } from './read-objects.ts';
import type { StripeSource } from './stripe-source.ts';
import { type ListPosition, type PageRange, rangeOf, withoutCursor } from './sync-range.ts';

export interface SyncPage {
  readonly statements: readonly Statement[];
  /** Outbox rows that list customers with changed facts. */
  readonly outboxIds: readonly string[];
  /** Null: the last page. */
  readonly next: ListPosition | null;
  readonly processed: number;
  /** Objects that could not be read. */
  readonly failed: number;
}

const PAGE_SIZE = 100;
/** Deletions detected per page; the next sync finds the rest. */
const MAX_DELETED = 500;

/** @throws Stripe's errors */
export async function syncPage(source: StripeSource, job: SyncJobRow): Promise<SyncPage> {
  try {
    return await readPage(source, job, job);
  } catch (error) {
    if (stripeFailureOf(error)?.kind !== 'missing' || job.cursor === null) throw error;
    return readPage(source, job, withoutCursor(job));
  }
}

async function readPage(source: StripeSource, job: SyncJobRow, position: ListPosition): Promise<SyncPage> {
  const { stripe, ctx } = source;
  const readAt = ctx.clock();
  const params = {
    limit: PAGE_SIZE,
    created: { lt: position.createdBefore },
    ...(position.cursor === null ? {} : { starting_after: position.cursor }),
  };
  return job.type === 'stripe-customer'
    ? customersPage(
        ...([source, position, readAt] as const),
        await stripe.customers.list({ ...params, expand: ['data.subscriptions'] }),
      )
    : productsPage(source, position, readAt, await stripe.products.list(params));
}

type Page<T> = Pick<Stripe.ApiList<T>, 'data' | 'has_more'>;

async function customersPage(
  source: StripeSource,
  position: ListPosition,
  readAt: number,
  page: Page<Stripe.Customer>,
): Promise<SyncPage> {
  const { ctx, integration, stripe } = source;
  const { db, clock, newId } = ctx;
  const { id: integrationId, orgId, livemode } = integration;
  const range = rangeOf(position, page.data, page.has_more);
  const { read, failed } = await readAll(page.data, (customer) => readCustomer(stripe, customer));
  const deletions = await findDeleted(source, stripeCustomer, range, readAt);
  const deleted = deletions.map(
    ({ id, createdAt }): ReadCustomer => ({
      ...{ id, email: null, name: null, livemode, metadata: {}, subscriptions: [], createdAt },
      isDeleted: true,
    }),
  );
  const now = clock();
  const apply = applyCustomers(db, {
    ...{ orgId, integrationId, readAt, now, outboxId: newId('out') },
    customers: [...read.filter((each) => each.livemode === livemode), ...deleted],
  });
  return { ...apply, next: range.next, processed: range.count, failed };
}

async function productsPage(
  source: StripeSource,
  position: ListPosition,
  readAt: number,
  page: Page<Stripe.Product>,
): Promise<SyncPage> {
  const { ctx, integration } = source;
  const { db, clock } = ctx;
  const { id: integrationId, orgId, livemode } = integration;
  const range = rangeOf(position, page.data, page.has_more);
  const { read, failed } = await readAll(page.data, async (product) => readProduct(product));
  const deletions = await findDeleted(source, stripeProduct, range, readAt);
  const deleted = deletions.map(
    ({ id, name, createdAt }): ReadProduct => ({
      ...{ id, name: name ?? id, description: null, active: false, livemode, createdAt, isDeleted: true },
    }),
  );
  const products = [...read.filter((each) => each.livemode === livemode), ...deleted];
  const statements = applyProducts(db, { orgId, integrationId, products, readAt, now: clock() });
  return { statements, outboxIds: [], next: range.next, processed: range.count, failed };
}

/** Counts unreadable objects and goes on with the rest. */
async function readAll<From, To>(
  objects: readonly From[],
  read: (object: From) => Promise<To>,
): Promise<{ read: To[]; failed: number }> {
  const all: To[] = [];
  let failed = 0;
  for (const object of objects) {
    try {
      all.push(await read(object));
    } catch (error) {
      if (stripeFailureOf(error) !== null) throw error;
      failed += 1;
    }
  }
  return { read: all, failed };
}

/** Stored rows within the page's time range that Stripe did not list, unless they were read later. */
async function findDeleted(
  { ctx, integration }: StripeSource,
  table: typeof stripeCustomer | typeof stripeProduct,
  { after, before, isSharedKnown, seen }: PageRange,
  readAt: number,
): Promise<{ id: string; name: string | null; createdAt: number }[]> {
  return ctx.db
    .select({ id: table.id, name: sql<string | null>`${table.name}`, createdAt: table.createdAt })
    .from(table)
    .where(
      and(
        eq(table.orgId, integration.orgId),
        eq(table.integrationId, integration.id),
        isNull(table.deletedAt),
        lt(table.readAt, readAt),
        gt(table.createdAt, after * 1000),
        isSharedKnown ? lte(table.createdAt, before * 1000) : lt(table.createdAt, before * 1000),
        sql`${table.id} NOT IN (SELECT value FROM json_each(${JSON.stringify([...seen])}))`,
      ),
    )
    .limit(MAX_DELETED);
}
