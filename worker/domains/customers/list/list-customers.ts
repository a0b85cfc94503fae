/**
 * Lists known customers in pages. Each filter reads an index in its own order, so a page reads as many rows as it shows
 * (worker/domains/customers/README.md, "The customers table").
 */

import { and, desc, eq, gt, type SQL, sql } from 'drizzle-orm';
import type { CustomerFilter, CustomerList } from '#contracts/console/customer-list';
import { isUserId, readIdentifier } from '#contracts/public/identifiers';
import { searchPrefix } from '#engine/identity/search-words';
import type { Db } from '#worker/db/database';
import { limitTo } from '#worker/db/limit-to';
import { customerWord, knownCustomer, provisionedCustomer } from '#worker/db/schema/customers';
import { stripeCustomer } from '#worker/db/schema/stripe';
import { knownAs } from '#worker/domains/customer-facts/customer-names';
import { invalidField } from '#worker/http/api-error';
import type { RequestContext, Scope } from '#worker/http/request-context';
import { withCurrentLimits } from './current-limits.ts';
import { describeCustomers, type KnownCustomerRow } from './describe-customers.ts';

const PAGE_SIZE = 50;
/** Words read per page: a customer may match with several, and a filter may refuse most of them. */
const WORDS_PER_PAGE = 150;
const WORDS_PER_FILTERED_PAGE = 1_000;

export interface CustomerListQuery {
  readonly query?: string | undefined;
  readonly filter?: CustomerFilter | undefined;
  readonly cursor?: string | undefined;
}

interface Page {
  readonly rows: readonly KnownCustomerRow[];
  readonly nextCursor: string | null;
}

/** @throws {ApiError} invalid-request naming cursor */
export async function listCustomers(
  ctx: RequestContext,
  scope: Scope,
  { query = '', filter, cursor }: CustomerListQuery,
): Promise<CustomerList> {
  const { db, now } = ctx;
  const search = searchPrefix(query);
  const page =
    search !== ''
      ? await findPage(db, scope, search, { filter, cursor, now })
      : filter === 'near-limit'
        ? await nearestPage(db, scope, cursor)
        : await recentPage(db, scope, { filter, cursor, now });
  const read = readIdentifier(query.trim());
  const carriers =
    cursor === undefined && filter === undefined ? await findByUserId(db, scope, query.trim()) : [];
  const found = new Set(carriers.map(({ identifier }) => identifier));
  const rows = [...carriers, ...page.rows.filter(({ identifier }) => !found.has(identifier))];
  return {
    items: await withCurrentLimits(ctx, scope, await describeCustomers(db, scope, rows, now)),
    nextCursor: page.nextCursor,
    identifier: read.ok ? read.canonical : null,
  };
}

interface Asked {
  readonly filter: CustomerFilter | undefined;
  readonly cursor: string | undefined;
  readonly now: number;
}

/** The literals are those of the partial indexes; SQLite does not use these with a bound parameter. */
function passes(filter: CustomerFilter | undefined, now: number): SQL | undefined {
  if (filter === 'granted') return and(sql`granted_until > 0`, gt(knownCustomer.grantedUntil, now));
  if (filter === 'override') return and(sql`overridden_until > 0`, gt(knownCustomer.overriddenUntil, now));
  if (filter === 'past-due') return sql`is_past_due = 1`;
  if (filter === 'near-limit') return sql`near_share > 0`;
  return undefined;
}

/** Those seen last come first; those never seen follow, the newest first. */
async function recentPage(db: Db, { orgId }: Scope, { filter, cursor, now }: Asked): Promise<Page> {
  const { lastSeenAt, createdAt, identifier } = knownCustomer;
  const after =
    cursor === undefined
      ? undefined
      : sql`(${lastSeenAt}, ${createdAt}, ${identifier}) < (${sql.join(
          readCursor(cursor, /^(\d{1,16}):(\d{1,16}):(.+)$/su).map((each) => sql`${each}`),
          sql`, `,
        )})`;
  const rows = await db
    .select()
    .from(knownCustomer)
    .where(and(eq(knownCustomer.orgId, orgId), passes(filter, now), after))
    .orderBy(desc(lastSeenAt), desc(createdAt), desc(identifier))
    .limit(PAGE_SIZE + 1);
  return pageOf(rows, (last) => `${last.lastSeenAt}:${last.createdAt}:${last.identifier}`);
}

/** Those nearest their limit first. */
async function nearestPage(db: Db, { orgId }: Scope, cursor: string | undefined): Promise<Page> {
  const { nearShare, identifier } = knownCustomer;
  const [share, last] = cursor === undefined ? [] : readCursor(cursor, /^(\d[\d.e+-]{0,30}):(.+)$/su);
  const after =
    share === undefined ? undefined : sql`(${nearShare}, ${identifier}) < (${Number(share)}, ${last})`;
  const rows = await db
    .select()
    .from(knownCustomer)
    .where(and(eq(knownCustomer.orgId, orgId), sql`near_share > 0`, after))
    .orderBy(desc(nearShare), desc(identifier))
    .limit(PAGE_SIZE + 1);
  return pageOf(rows, (row) => `${row.nearShare}:${row.identifier}`);
}

/** Those with a user id that begins as searched for. They come before the first page. */
function findByUserId(db: Db, { orgId }: Scope, beginning: string): Promise<KnownCustomerRow[]> {
  if (!isUserId(beginning)) return Promise.resolve([]);
  const of = (table: typeof stripeCustomer | typeof provisionedCustomer, id: SQL) =>
    sql`SELECT ${id} FROM ${table} n WHERE n.org_id = ${orgId} AND n.user_id >= ${beginning} AND n.user_id < ${`${beginning}\u{10FFFF}`}`;
  return db
    .select()
    .from(knownCustomer)
    .where(
      sql`${knownCustomer.orgId} = ${orgId} AND ${knownCustomer.identifier} IN (
        ${of(stripeCustomer, knownAs(sql`n`, null))} UNION ${of(provisionedCustomer, sql`n.identifier`)} ${limitTo(PAGE_SIZE)})`,
    );
}

/** In the order of the words, so that an exact match comes first. */
async function findPage(
  db: Db,
  { orgId }: Scope,
  search: string,
  { filter, cursor, now }: Asked,
): Promise<Page> {
  const limit = filter === undefined ? WORDS_PER_PAGE : WORDS_PER_FILTERED_PAGE;
  const [word, identifier] = cursor === undefined ? [] : readWordCursor(cursor);
  const words = db
    .select({ word: customerWord.word, identifier: customerWord.identifier })
    .from(customerWord)
    .where(
      and(
        eq(customerWord.orgId, orgId),
        sql`${customerWord.word} >= ${search} AND ${customerWord.word} < ${`${search}\u{10FFFF}`}`,
        word === undefined
          ? undefined
          : sql`(${customerWord.word}, ${customerWord.identifier}) > (${word}, ${identifier})`,
      ),
    )
    .orderBy(customerWord.word, customerWord.identifier)
    .limit(limit)
    .as('words');
  const found = await db
    .select({ word: words.word, of: words.identifier, customer: knownCustomer })
    .from(words)
    .leftJoin(
      knownCustomer,
      and(
        eq(knownCustomer.orgId, orgId),
        eq(knownCustomer.identifier, words.identifier),
        passes(filter, now),
      ),
    )
    .orderBy(words.word, words.identifier);
  const rows = new Map<string, KnownCustomerRow>();
  for (const [index, { word: at, of, customer }] of found.entries()) {
    if (customer !== null) rows.set(of, customer);
    const isLast = index === found.length - 1;
    if (rows.size === PAGE_SIZE ? !isLast : isLast && found.length === limit)
      return { rows: [...rows.values()], nextCursor: `${at.length}:${at}${of}` };
  }
  return { rows: [...rows.values()], nextCursor: null };
}

function pageOf(rows: readonly KnownCustomerRow[], cursorOf: (last: KnownCustomerRow) => string): Page {
  const page = rows.slice(0, PAGE_SIZE);
  const last = page.at(-1);
  return {
    rows: page,
    nextCursor: rows.length > PAGE_SIZE && last !== undefined ? cursorOf(last) : null,
  };
}

/** @returns the parts: the sort key of the previous page's last row */
function readCursor(cursor: string, pattern: RegExp): (string | number)[] {
  const [, ...parts] = pattern.exec(cursor) ?? [];
  if (parts.length === 0) throw invalidField('cursor', 'Must be a cursor from this list');
  return parts.map((part, index) => (index < parts.length - 1 ? Number(part) : part));
}

function readWordCursor(cursor: string): [word: string, identifier: string] {
  const [, length, rest = ''] = /^(\d{1,3}):(.+)$/su.exec(cursor) ?? [];
  if (length === undefined) throw invalidField('cursor', 'Must be a cursor from this list');
  return [rest.slice(0, Number(length)), rest.slice(Number(length))];
}
