/** Reads of customers, in the shapes of the console API. */
import { and, desc, eq, gt, inArray, isNull, or, type SQL, sql } from 'drizzle-orm';
import type {
  Customer,
  CustomerGrant,
  CustomerOverride,
  CustomerSummary,
  customerEndpoints,
} from '#contracts/console/customers';
import type { AnswerOf } from '#contracts/public/endpoint';
import { readIdentifier } from '#engine/identity/read-identifier';
import type { Db } from '#worker/db/database';
import { customer, customerGrant, customerOverride } from '#worker/db/schema/customers';
import {
  findLinkedCustomers,
  readLinkedCustomers,
} from '#worker/domains/customer-facts/read-linked-customers';
import { invalidField } from '#worker/http/api-error';
import type { Scope } from '#worker/http/request-context';

const PAGE_SIZE = 50;

export interface CustomerListQuery {
  readonly query?: string | undefined;
  readonly cursor?: string | undefined;
}

/** @throws {ApiError} invalid-request naming cursor */
export async function listCustomers(
  db: Db,
  scope: Scope,
  { query = '', cursor }: CustomerListQuery,
  now: number,
): Promise<AnswerOf<typeof customerEndpoints.list>> {
  const { orgId } = scope;
  const rows = await db
    .select()
    .from(customer)
    .where(
      and(
        eq(customer.orgId, orgId),
        gt(customer.createdAt, 0),
        query === '' ? undefined : sql`instr(lower(${customer.identifier}), lower(${query})) > 0`,
        cursor === undefined ? undefined : isAfter(cursor),
      ),
    )
    .orderBy(desc(customer.createdAt), desc(customer.identifier))
    .limit(PAGE_SIZE + 1);
  const page = rows.slice(0, PAGE_SIZE);
  const last = page.at(-1);
  const read = readIdentifier(query);
  const isSearch = query !== '' && cursor === undefined;
  const [items, linked] = await Promise.all([
    summarise(db, orgId, page, now),
    isSearch ? findLinkedCustomers(db, scope, query) : [],
  ]);
  return {
    ...{ items, linked },
    nextCursor: rows.length > PAGE_SIZE && last !== undefined ? `${last.createdAt}.${last.identifier}` : null,
    identifier: read.ok ? read.canonical : null,
  };
}

/** The cursor is the sort key of the previous page's last row. */
function isAfter(cursor: string): SQL {
  const [, createdAt, identifier] = /^(\d{1,16})\.(.+)$/su.exec(cursor) ?? [];
  if (createdAt === undefined || identifier === undefined) throw invalidField('cursor', 'Is not a cursor');
  return sql`(${customer.createdAt}, ${customer.identifier}) < (${Number(createdAt)}, ${identifier})`;
}

type CustomerRow = typeof customer.$inferSelect;

async function summarise(
  db: Db,
  orgId: string,
  rows: readonly CustomerRow[],
  now: number,
): Promise<CustomerSummary[]> {
  if (rows.length === 0) return [];
  const identifiers = rows.map(({ identifier }) => identifier);
  const isActive = (table: typeof customerGrant | typeof customerOverride) =>
    and(
      eq(table.orgId, orgId),
      inArray(table.customerIdentifier, identifiers),
      or(isNull(table.until), gt(table.until, now)),
    );
  const [grants, overrides] = await db.batch([
    db
      .select({ identifier: customerGrant.customerIdentifier, planId: customerGrant.planId })
      .from(customerGrant)
      .where(isActive(customerGrant)),
    db
      .select({ identifier: customerOverride.customerIdentifier })
      .from(customerOverride)
      .where(isActive(customerOverride)),
  ]);
  const planIds = Map.groupBy(grants, ({ identifier }) => identifier);
  const overridden = Map.groupBy(overrides, ({ identifier }) => identifier);
  return rows.map(({ identifier, createdAt, updatedAt }) => ({
    identifier,
    planIds: [...new Set(planIds.get(identifier)?.map(({ planId }) => planId))],
    overrides: overridden.get(identifier)?.length ?? 0,
    createdAt,
    updatedAt,
  }));
}

/** @param identifier canonical */
export async function getCustomer(db: Db, scope: Scope, identifier: string): Promise<Customer> {
  const { orgId } = scope;
  const isTheirs = (table: typeof customerGrant | typeof customerOverride) =>
    and(eq(table.orgId, orgId), eq(table.customerIdentifier, identifier));
  const [grants, overrides] = await db.batch([
    db
      .select()
      .from(customerGrant)
      .where(isTheirs(customerGrant))
      .orderBy(desc(customerGrant.createdAt), desc(customerGrant.id)),
    db
      .select()
      .from(customerOverride)
      .where(isTheirs(customerOverride))
      .orderBy(desc(customerOverride.createdAt), desc(customerOverride.id)),
  ]);
  const linked = await readLinkedCustomers(db, scope, identifier);
  return { identifier, grants: grants.map(asGrant), overrides: overrides.map(asOverride), linked };
}

export type GrantRow = typeof customerGrant.$inferSelect;
export type OverrideRow = typeof customerOverride.$inferSelect;

export function asGrant({ orgId: _, customerIdentifier: __, ...grant }: GrantRow): CustomerGrant {
  return grant;
}

export function asOverride({
  orgId: _,
  customerIdentifier: __,
  updatedAt: ___,
  ...override
}: OverrideRow): CustomerOverride {
  return override;
}
