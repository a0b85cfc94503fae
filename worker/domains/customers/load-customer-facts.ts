/**
 * Reads from the database what holds of a customer in one environment: what ledgers are told. It is said by hand, of an
 * identifier, and by the connected Stripe accounts, whose customers go by their id and, one of each, by their address.
 */
import { and, asc, eq, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { CustomerFacts, StripeFacts } from '#contracts/customer-facts';
import { type IdentifierKind, readIdentifier } from '#engine/identity/read-identifier';
import type { Db } from '#worker/db/database';
import { customer, customerGrant, customerOverride } from '#worker/db/schema/customers';
import { stripeCustomer, stripeIntegration } from '#worker/db/schema/stripe';
import type { Scope } from '#worker/http/request-context';
import { byPreference, isSeenIn, preferredOf } from './preferred-customer.ts';

/** Version and facts are of one instant. @param identifier canonical */
export async function loadCustomerFacts(
  db: Db,
  { orgId }: Scope,
  environmentId: string,
  identifier: string,
): Promise<CustomerFacts> {
  const kind = kindOf(identifier);
  const byHand = saidByHand(db, orgId, environmentId, namesOf(orgId, identifier, kind));
  const version = db
    .select({ version: versionOf(orgId, identifier, kind).as('version') })
    .from(sql`(SELECT 1)`);
  if (kind === 'other') {
    const [[row], grants, overrides] = await db.batch([version, ...byHand]);
    return { version: row?.version ?? 0, grants: grants.map(asSaid), overrides: overrides.map(asSaid) };
  }
  const [[row], grants, overrides, [found]] = await db.batch([
    version,
    ...byHand,
    stripeRow(db, orgId, environmentId, identifier, kind),
  ]);
  const stripe = found === undefined ? null : asStripeFacts(found);
  const isTheirs = ({ of }: { readonly of: string }) => of === identifier || stripe?.isNamedByEmail === true;
  const asTheirs = <Said extends { readonly of: string }>({ of, ...said }: Said) =>
    of === identifier ? said : { ...said, isOfEmail: true as const };
  return {
    version: row?.version ?? 0,
    grants: grants.filter(isTheirs).map(asTheirs),
    overrides: overrides.filter(isTheirs).map(asTheirs),
    ...(kind === 'email' ? { nameOf: stripe === null ? null : nameOf(stripe) } : { stripe }),
  };
}

export function kindOf(identifier: string): IdentifierKind {
  const read = readIdentifier(identifier);
  return read.ok ? read.kind : 'other';
}

/** A list of texts: what is said of any of them is, or may be, said of the customer. */
function namesOf(orgId: string, identifier: string, kind: IdentifierKind): SQL {
  if (kind !== 'stripe-customer') return sql`(${identifier})`;
  return sql`(SELECT ${identifier} UNION ALL SELECT n.email FROM ${stripeCustomer} n WHERE n.org_id = ${orgId} AND n.id = ${identifier})`;
}

/**
 * The highest of everything that the facts are made from. Rows of customers whom Stripe deleted stay, and of an address that
 * somebody had there is one as of those of whom something was said; rows of a deleted integration do not, so its end takes
 * their place.
 */
function versionOf(orgId: string, identifier: string, kind: IdentifierKind): SQL<number> {
  const names = namesOf(orgId, identifier, kind);
  const highest = (from: SQL) => sql`coalesce((SELECT max(${from}), 0)`;
  const said = highest(
    sql`v.facts_version) FROM ${customer} v WHERE v.org_id = ${orgId} AND v.identifier IN ${names}`,
  );
  if (kind === 'other') return sql<number>`${said}`;
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

function saidByHand(db: Db, orgId: string, environmentId: string, names: SQL) {
  const holdsHere = (table: typeof customerGrant | typeof customerOverride) =>
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
      .where(holdsHere(customerGrant))
      .orderBy(asc(customerGrant.id)),
    db
      .select({
        of: customerOverride.customerIdentifier,
        propertyId: customerOverride.propertyId,
        value: customerOverride.value,
        until: customerOverride.until,
      })
      .from(customerOverride)
      .where(holdsHere(customerOverride))
      // Of two for one property the later holds: what is said of this environment before what is said of all. The plus
      // keeps SQLite from reading all overrides of the organisation in this order.
      .orderBy(sql`+${customerOverride.environmentId}`, asc(customerOverride.id)),
  ] as const;
}

function asSaid<Said extends { readonly of: string }>({ of: _, ...said }: Said): Omit<Said, 'of'> {
  return said;
}

/** The Stripe customer of that id; or the one that the address stands for. */
function stripeRow(db: Db, orgId: string, environmentId: string, identifier: string, kind: IdentifierKind) {
  const { integrationId, id, email, livemode, subscriptions } = stripeCustomer;
  const row = sql`${stripeCustomer}`;
  const named = preferredOf(orgId, sql`${row}.email`, environmentId);
  return db
    .select({
      ...{ integrationId, customerId: id, email, livemode, subscriptions },
      isNamedByEmail:
        kind === 'email'
          ? sql<number>`1`.as('is_named')
          : sql<number>`coalesce((${row}.integration_id, ${row}.id) = ${named}, 0)`.as('is_named'),
    })
    .from(stripeCustomer)
    .where(
      and(
        eq(stripeCustomer.orgId, orgId),
        eq(kind === 'email' ? email : id, identifier),
        isSeenIn(row, environmentId),
      ),
    )
    .orderBy(byPreference(row))
    .limit(1);
}

type StripeRow = Awaited<ReturnType<typeof stripeRow>>[number];

function asStripeFacts({ subscriptions, livemode, isNamedByEmail, ...row }: StripeRow): StripeFacts {
  const { integrationId } = row;
  return {
    ...row,
    isNamedByEmail: Boolean(isNamedByEmail),
    subscriptions: subscriptions.map(({ id, status, productIds }) => ({
      ...{ id, integrationId, status, livemode, productIds },
    })),
  };
}

function nameOf({ integrationId, customerId }: StripeFacts): CustomerFacts['nameOf'] {
  return { integrationId, customerId };
}
