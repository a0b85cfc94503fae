/** Reads one page of a sync from Stripe and returns the statements that store it. */
import { and, eq, gt, isNull, lt, lte, sql } from 'drizzle-orm';
import type { Stripe } from 'stripe';
import type { Statement } from '#worker/db/database';
import { stripeCustomer, stripeProduct } from '#worker/db/schema/stripe';
import type { SyncJobRow } from '../integration/integration-store.ts';
import { stripeFailureOf } from '../integration/stripe-failure.ts';
import { applyCustomers } from './apply-customers.ts';
import { applyProducts } from './apply-products.ts';
import { readCustomer, readProduct } from './read-objects.ts';
import { fetchCustomer } from './refresh-customer.ts';
import { fetchProduct } from './refresh-product.ts';
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

/** The most that Stripe lists at once. */
export const MAX_PAGE_SIZE = 100;
/** Stored objects that one page does not list and that are retrieved. */
const MAX_MISSING = 50;
const CONCURRENCY = 5;

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
    limit: job.pageSize,
    created: { lt: position.createdBefore },
    ...(position.cursor === null ? {} : { starting_after: position.cursor }),
  };
  return job.type === 'stripe-customer'
    ? customersPage(
        ...([source, job, position, readAt] as const),
        await stripe.customers.list({ ...params, expand: ['data.subscriptions'] }),
      )
    : productsPage(source, job, position, readAt, await stripe.products.list(params));
}

type Page<T> = Pick<Stripe.ApiList<T>, 'data' | 'has_more'>;

async function customersPage(
  source: StripeSource,
  job: SyncJobRow,
  position: ListPosition,
  readAt: number,
  page: Page<Stripe.Customer>,
): Promise<SyncPage> {
  const { ctx, integration, stripe } = source;
  const { db, clock, newId } = ctx;
  const { id: integrationId, orgId, livemode } = integration;
  const range = rangeOf(position, page.data, page.has_more);
  const { read, failed } = await readAll(page.data, (customer) => readCustomer(stripe, customer));
  const missing = await findMissing(source, stripeCustomer, range, Math.min(readAt, job.startedAt));
  const retrieved = await atOnce(missing, ({ id, createdAt }) => fetchCustomer(source, id, createdAt));
  const now = clock();
  const apply = applyCustomers(db, {
    orgId,
    integrationId,
    now,
    outboxId: newId('out'),
    customers: [...read, ...retrieved]
      .filter((each) => each.livemode === livemode)
      .map((customer) => ({ customer, readAt })),
  });
  const statements = [...apply.statements, ...markRead(source, stripeCustomer, missing, readAt)];
  return { ...apply, statements, ...progressOf(position, range, missing), failed };
}

async function productsPage(
  source: StripeSource,
  job: SyncJobRow,
  position: ListPosition,
  readAt: number,
  page: Page<Stripe.Product>,
): Promise<SyncPage> {
  const { ctx, integration } = source;
  const { db, clock } = ctx;
  const { id: integrationId, orgId, livemode } = integration;
  const range = rangeOf(position, page.data, page.has_more);
  const { read, failed } = await readAll(page.data, async (product) => readProduct(product));
  const missing = await findMissing(source, stripeProduct, range, Math.min(readAt, job.startedAt));
  const retrieved = await atOnce(missing, ({ id, createdAt }) => fetchProduct(source, id, createdAt));
  const products = [...read, ...retrieved].filter((each) => each.livemode === livemode);
  const statements = [
    ...applyProducts(db, { orgId, integrationId, products, readAt, now: clock() }),
    ...markRead(source, stripeProduct, missing, readAt),
  ];
  return { statements, outboxIds: [], ...progressOf(position, range, missing), failed };
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

type ObjectTable = typeof stripeCustomer | typeof stripeProduct;

interface Missing {
  readonly id: string;
  readonly createdAt: number;
}

/**
 * Stored objects within the page's time range that Stripe did not list, unless they were read during this sync. They may
 * exist nevertheless: Stripe's list leaves out the customers of test clocks. So each is retrieved.
 */
async function findMissing(
  { ctx, integration }: StripeSource,
  table: ObjectTable,
  { after, before, isSharedKnown, seen }: PageRange,
  readBefore: number,
): Promise<Missing[]> {
  return ctx.db
    .select({ id: table.id, createdAt: table.createdAt })
    .from(table)
    .where(
      and(
        eq(table.orgId, integration.orgId),
        eq(table.integrationId, integration.id),
        isNull(table.deletedAt),
        lt(table.readAt, readBefore),
        gt(table.createdAt, after * 1000),
        isSharedKnown ? lte(table.createdAt, before * 1000) : lt(table.createdAt, before * 1000),
        sql`${table.id} NOT IN (SELECT value FROM json_each(${JSON.stringify([...seen])}))`,
      ),
    )
    .limit(MAX_MISSING);
}

/** The statement that keeps retrieved objects from being retrieved again: unchanged ones are not written otherwise. */
function markRead(
  { ctx, integration }: StripeSource,
  table: ObjectTable,
  missing: readonly Missing[],
  readAt: number,
): Statement[] {
  if (missing.length === 0) return [];
  const ids = JSON.stringify(missing.map(({ id }) => id));
  return [
    ctx.db
      .update(table)
      .set({ readAt })
      .where(
        and(
          eq(table.integrationId, integration.id),
          sql`${table.id} IN (SELECT value FROM json_each(${ids}))`,
          lt(table.readAt, readAt),
        ),
      ),
  ];
}

/** With more missing objects than one page retrieves, the next one reads the same stretch again. */
function progressOf(
  { createdBefore, cursor, cursorCreated, cursorPeers }: ListPosition,
  range: PageRange,
  missing: readonly Missing[],
): Pick<SyncPage, 'next' | 'processed'> {
  return missing.length < MAX_MISSING
    ? { next: range.next, processed: range.count }
    : { next: { createdBefore, cursor, cursorCreated, cursorPeers }, processed: 0 };
}

async function atOnce<From, To>(items: readonly From[], work: (item: From) => Promise<To>): Promise<To[]> {
  const results: To[] = [];
  for (let first = 0; first < items.length; first += CONCURRENCY) {
    results.push(...(await Promise.all(items.slice(first, first + CONCURRENCY).map(work))));
  }
  return results;
}
