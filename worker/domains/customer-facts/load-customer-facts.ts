/**
 * Loads a customer's facts in one environment from D1: manual grants and overrides of the identifier, and the subscriptions
 * of the connected Stripe accounts. A Stripe customer is found by id or by email. See worker/README.md, "Customer facts".
 */
import { and, asc, eq, isNull, or, type SQL, sql } from 'drizzle-orm';
import type {
  CustomerFacts,
  StripeCustomerRef,
  StripeFacts,
  SubscriptionFacts,
} from '#contracts/internal/customer-facts';
import { type IdentifierKind, readIdentifier } from '#engine/identity/read-identifier';
import { commit, type Db } from '#worker/db/database';
import { customer, customerGrant, customerOverride } from '#worker/db/schema/customers';
import { stripeCustomer, stripeIntegration } from '#worker/db/schema/stripe';
import type { Scope } from '#worker/http/request-context';
import { byOwnership, isOwnerRole, isSeenIn } from './email-owner.ts';

/** Further customers with one email whose subscriptions count, those with a granting subscription first. */
const MAX_NAMESAKES = 20;

/** Customers per batch: five statements each. */
const CUSTOMERS_AT_ONCE = 10;

/** Version and facts come from one D1 batch, so they are consistent. @param identifier canonical */
export async function loadCustomerFacts(
  db: Db,
  { orgId }: Scope,
  environmentId: string,
  identifier: string,
): Promise<CustomerFacts> {
  return factsFrom(identifier, await db.batch(queriesOf(db, orgId, environmentId, identifier)));
}

/** The facts of many customers, in as few batches as possible. @param identifiers canonical @returns by identifier */
export async function loadFactsOfMany(
  db: Db,
  { orgId }: Scope,
  environmentId: string,
  identifiers: readonly string[],
): Promise<ReadonlyMap<string, CustomerFacts>> {
  const facts = new Map<string, CustomerFacts>();
  for (let from = 0; from < identifiers.length; from += CUSTOMERS_AT_ONCE) {
    const some = identifiers.slice(from, from + CUSTOMERS_AT_ONCE);
    const rows = await commit(
      db,
      some.flatMap((identifier) => [...queriesOf(db, orgId, environmentId, identifier)]),
    );
    for (const [index, identifier] of some.entries()) {
      const theirs = rows.slice(index * QUERIES, (index + 1) * QUERIES);
      facts.set(identifier, factsFrom(identifier, theirs as unknown as FactRows));
    }
  }
  return facts;
}

type RowsOf<Queries extends readonly unknown[]> = { [Index in keyof Queries]: Awaited<Queries[Index]> };
type FactRows = RowsOf<ReturnType<typeof queriesOf>>;

/** Statements per customer. */
const QUERIES = 5;

function queriesOf(db: Db, orgId: string, environmentId: string, identifier: string) {
  const kind = kindOf(identifier);
  const [grants, overrides] = manualEntries(db, orgId, environmentId, namesOf(orgId, identifier, kind));
  return [
    db.select({ version: versionOf(orgId, identifier, kind).as('version') }).from(sql`(SELECT 1)`),
    grants,
    overrides,
    customerById(db, orgId, environmentId, identifier),
    customersByEmail(db, orgId, environmentId, identifier, kind),
  ] as const;
}

function factsFrom(identifier: string, [[row], grants, overrides, found, sharing]: FactRows): CustomerFacts {
  const kind = kindOf(identifier);
  const known = { version: row?.version ?? 0 };
  const [first] = sharing;
  const owner = first !== undefined && isOwnerRole(first.emailRole) ? first : null;
  if (kind === 'email') {
    return {
      ...{ ...known, grants: grants.map(withoutOwner), overrides: overrides.map(withoutOwner) },
      ...(owner === null
        ? { aliasOf: null, ...namesakesOf(sharing) }
        : { aliasOf: { integrationId: owner.integrationId, customerId: owner.customerId } }),
    };
  }
  const customer = found[0] ?? null;
  const isNamedByEmail = customer !== null && owner !== null && isSame(customer, owner);
  const isTheirs = ({ of }: { readonly of: string }) => of === identifier || isNamedByEmail;
  const asTheirs = <Entry extends { readonly of: string }>({ of, ...entry }: Entry) =>
    of === identifier ? entry : { ...entry, isFromEmail: true as const };
  return {
    ...known,
    grants: grants.filter(isTheirs).map(asTheirs),
    overrides: overrides.filter(isTheirs).map(asTheirs),
    // Any other identifier may be the id of a Stripe customer too: accounts can choose ids.
    ...(customer === null && kind === 'other'
      ? {}
      : { stripe: customer === null ? null : asStripeFacts(customer, isNamedByEmail) }),
    ...(isNamedByEmail ? namesakesOf(sharing.slice(1)) : {}),
  };
}

export function kindOf(identifier: string): IdentifierKind {
  const read = readIdentifier(identifier);
  return read.ok ? read.kind : 'other';
}

/** SQL list of the identifiers whose grants and overrides can apply to the customer: the id and its email. */
function namesOf(orgId: string, identifier: string, kind: IdentifierKind): SQL {
  if (kind === 'email') return sql`(${identifier})`;
  return sql`(SELECT ${identifier} UNION ALL SELECT n.email FROM ${stripeCustomer} n WHERE n.org_id = ${orgId} AND n.id = ${identifier})`;
}

/**
 * The highest version of all rows that the facts are derived from. Rows of customers deleted in Stripe remain as tombstones,
 * and an email that a Stripe customer once had has a row in `customer`. Rows of a deleted integration are removed, so its
 * deletion time counts instead.
 */
function versionOf(orgId: string, identifier: string, kind: IdentifierKind): SQL<number> {
  const names = namesOf(orgId, identifier, kind);
  const highest = (from: SQL) => sql`coalesce((SELECT max(${from}), 0)`;
  const said = highest(
    sql`v.facts_version) FROM ${customer} v WHERE v.org_id = ${orgId} AND v.identifier IN ${names}`,
  );
  const byEmail = highest(
    sql`v.facts_version) FROM ${stripeCustomer} v WHERE v.org_id = ${orgId} AND v.email IN ${names}`,
  );
  const byId =
    kind === 'email'
      ? sql`0`
      : highest(
          sql`v.facts_version) FROM ${stripeCustomer} v WHERE v.org_id = ${orgId} AND v.id = ${identifier}`,
        );
  const ended = highest(sql`v.deleted_at) FROM ${stripeIntegration} v WHERE v.org_id = ${orgId}`);
  return sql<number>`max(${said}, ${byEmail}, ${byId}, ${ended})`;
}

function manualEntries(db: Db, orgId: string, environmentId: string, names: SQL) {
  const appliesHere = (table: typeof customerGrant | typeof customerOverride) =>
    and(
      eq(table.orgId, orgId),
      sql`${table.customerIdentifier} IN ${names}`,
      or(isNull(table.environmentId), eq(table.environmentId, environmentId)),
    );
  return [
    db
      .select({
        of: customerGrant.customerIdentifier,
        planId: customerGrant.planId,
        until: customerGrant.until,
      })
      .from(customerGrant)
      .where(appliesHere(customerGrant))
      .orderBy(asc(customerGrant.id)),
    db
      .select({
        of: customerOverride.customerIdentifier,
        propertyId: customerOverride.propertyId,
        value: customerOverride.value,
        until: customerOverride.until,
      })
      .from(customerOverride)
      .where(appliesHere(customerOverride))
      // Of two overrides of one property the later entry wins: the environment's own comes after the one for all
      // environments (NULL sorts first). The unary plus keeps SQLite from scanning an index in this order.
      .orderBy(sql`+${customerOverride.environmentId}`, asc(customerOverride.id)),
  ] as const;
}

function withoutOwner<Entry extends { readonly of: string }>({ of: _, ...entry }: Entry): Omit<Entry, 'of'> {
  return entry;
}

function columnsOf() {
  const { integrationId, id, email, emailRole, livemode, subscriptions, metadata, createdAt } =
    stripeCustomer;
  return { integrationId, customerId: id, email, emailRole, livemode, subscriptions, metadata, createdAt };
}

function customerById(db: Db, orgId: string, environmentId: string, identifier: string) {
  const row = sql`${stripeCustomer}`;
  return db
    .select(columnsOf())
    .from(stripeCustomer)
    .where(
      and(eq(stripeCustomer.orgId, orgId), eq(stripeCustomer.id, identifier), isSeenIn(row, environmentId)),
    )
    .orderBy(byOwnership(row))
    .limit(1);
}

/** The customers with this email, or with the email of the customer with this id. The email's owner comes first. */
function customersByEmail(
  db: Db,
  orgId: string,
  environmentId: string,
  identifier: string,
  kind: IdentifierKind,
) {
  const row = sql`${stripeCustomer}`;
  const hasEmail =
    kind === 'email'
      ? eq(stripeCustomer.email, identifier)
      : sql`${stripeCustomer.email} IN (SELECT n.email FROM ${stripeCustomer} n WHERE n.org_id = ${orgId} AND n.id = ${identifier})`;
  return db
    .select(columnsOf())
    .from(stripeCustomer)
    .where(and(eq(stripeCustomer.orgId, orgId), hasEmail, isSeenIn(row, environmentId)))
    .orderBy(byOwnership(row))
    .limit(1 + MAX_NAMESAKES);
}

type StripeRow = Awaited<ReturnType<typeof customerById>>[number];

function isSame(one: StripeCustomerRef, other: StripeCustomerRef): boolean {
  return one.integrationId === other.integrationId && one.customerId === other.customerId;
}

function asStripeFacts(row: StripeRow, isNamedByEmail: boolean): StripeFacts {
  const { integrationId, customerId, email, metadata, createdAt } = row;
  const subscriptions = subscriptionsOf(row);
  return { integrationId, customerId, email, isNamedByEmail, subscriptions, metadata, createdAt };
}

function namesakesOf(rows: readonly StripeRow[]): Pick<CustomerFacts, 'namesakes'> {
  if (rows.length === 0) return {};
  return {
    namesakes: rows.slice(0, MAX_NAMESAKES).map((row) => ({
      ...{ integrationId: row.integrationId, customerId: row.customerId },
      subscriptions: subscriptionsOf(row),
      ...(row.emailRole === 'separate' ? { isSeparate: true } : {}),
    })),
  };
}

function subscriptionsOf({
  integrationId,
  livemode,
  subscriptions,
}: StripeRow): readonly SubscriptionFacts[] {
  return subscriptions.map((subscription) => ({ ...subscription, integrationId, livemode }));
}
