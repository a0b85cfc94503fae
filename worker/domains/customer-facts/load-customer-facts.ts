/**
 * Loads a customer's facts in one environment from D1: manual grants, overrides and balances of the identifier, and the subscriptions
 * of the connected Stripe accounts. A Stripe customer is found by id or by email. See worker/domains/customer-facts/README.md, "Customer facts".
 */

import { and, asc, type Column, eq, type GetColumnData, isNull, or, type SQL, sql } from 'drizzle-orm';
import type {
  BalanceFacts,
  CustomerFacts,
  StripeFacts,
  SubscriptionFacts,
  UserIdRef,
} from '#contracts/internal/customer-facts';
import { type IdentifierKind, readIdentifier } from '#contracts/public/identifiers';
import { NO_INTEGRATION } from '#engine/entitlements/active-facts';
import { balancesByOwner } from '#engine/entitlements/facts-for-entity';
import { compareText } from '#engine/text/compare-text';
import type { Db } from '#worker/db/database';
import { limitTo } from '#worker/db/limit-to';
import {
  customer,
  customerBalance,
  customerGrant,
  customerOverride,
  customerSource,
  isUnclosed,
  NO_END,
  provisionedCustomer,
} from '#worker/db/schema/customers';
import { environment } from '#worker/db/schema/environments';
import { stripeCustomer } from '#worker/db/schema/stripe';
import type { Scope } from '#worker/http/request-context';
import {
  byOwnership,
  byPaying,
  type CreatedNames,
  isSeenIn,
  knownAs,
  ownerAmong,
  userIdInEffect,
} from './customer-names.ts';
import { organisationVersion } from './next-facts-version.ts';

/** Further customers with one email or id whose subscriptions count, those with a granting subscription first. */
const MAX_NAMESAKES = 20;

/** Open balances of a customer whose amounts count: those that end last. */
const MAX_BALANCES = 200;

/** Customers per batch, whose rows are one response of D1. */
const CUSTOMERS_AT_ONCE = 50;

/** @param identifier canonical */
export async function loadCustomerFacts(
  db: Db,
  scope: Scope,
  environmentId: string,
  identifier: string,
): Promise<CustomerFacts> {
  const facts = (await loadFactsOfMany(db, scope, environmentId, [identifier])).get(identifier);
  if (facts === undefined) throw new Error('No facts of the customer were read');
  return facts;
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
    // Versions and facts come from one batch, so they are consistent.
    const rows = await db.batch(queriesOf(db, orgId, environmentId, some));
    const [versions, grants, overrides, byId, byEmail, byUserId, provisioned] = rows;
    for (const identifier of some) {
      const isOfCustomer = ({ subject }: { readonly subject: string }) => subject === identifier;
      const {
        version = 0,
        movedTo = null,
        isInOtherMode = 0,
        balances = null,
      } = versions.find(isOfCustomer) ?? {};
      facts.set(
        identifier,
        factsFrom(identifier, {
          version,
          movedTo,
          isInOtherMode: Boolean(isInOtherMode),
          grants: grants.filter(isOfCustomer),
          overrides: overrides.filter(isOfCustomer),
          balances,
          customers: byId.filter(isOfCustomer),
          sharing: byEmail.filter(isOfCustomer).slice(0, 1 + MAX_NAMESAKES),
          carriers: byUserId.filter(isOfCustomer).filter(({ userId }) => userId !== null),
          provisioned: provisioned.filter(isOfCustomer),
        }),
      );
    }
  }
  return facts;
}

/** A few statements for any number of customers. Each row names its customer: `subject`. */
function queriesOf(db: Db, orgId: string, environmentId: string, identifiers: readonly string[]) {
  const subjects = subjectsOf(identifiers);
  const names = namesOf(orgId, environmentId, subjects);
  const ids = sql`SELECT subject, name FROM (${names}) WHERE NOT is_email`;
  const emails = sql`SELECT subject, name FROM (${names}) WHERE is_email`;
  const versions = db
    .select({
      subject: sql<string>`n.subject`.as('subject'),
      version: versionOf(orgId).as('version'),
      movedTo:
        sql`(SELECT v.moved_to FROM ${customer} v WHERE v.org_id = ${orgId} AND v.identifier = n.subject)`
          .mapWith(customer.movedTo)
          .as('moved_to'),
      isInOtherMode: isInOtherMode(orgId, environmentId).as('is_in_other_mode'),
      balances: balancesOf(orgId, environmentId).as('balances'),
    })
    .from(sql`(${names}) n`)
    .groupBy(sql`n.subject`);
  return [
    versions,
    ...manualEntries(db, orgId, environmentId, names),
    customersNamed(db, orgId, environmentId, { names: ids, column: 'id', limit: 1 + MAX_NAMESAKES }),
    customersNamed(db, orgId, environmentId, { names: emails, column: 'email', limit: 1 + MAX_NAMESAKES }),
    customersNamed(db, orgId, environmentId, { names: ids, column: 'user_id', limit: 1 + MAX_NAMESAKES }),
    provisionedNamed(db, environmentId, names),
  ] as const;
}

type RowsOf<Queries extends readonly unknown[]> = { [Index in keyof Queries]: Awaited<Queries[Index]> };
type FactRows = RowsOf<ReturnType<typeof queriesOf>>;

interface RowsOfCustomer {
  readonly version: number;
  /** The canonical spelling; null if this is it. */
  readonly movedTo: string | null;
  readonly isInOtherMode: boolean;
  readonly grants: FactRows[1];
  readonly overrides: FactRows[2];
  /** JSON of the lists of `balancesOf`; null: none. */
  readonly balances: string | null;
  /** The Stripe customers with an id of this customer: its own, one in each account, and those that it is the same as. */
  readonly customers: readonly StripeRow[];
  /** The Stripe customers with this email, or with the email of this id. The email's owner comes first. */
  readonly sharing: readonly StripeRow[];
  /** The Stripe customers with this user id, or with a user id of this customer. */
  readonly carriers: readonly StripeRow[];
  /** Customers created by API in the environment with this id, email or user id, or with one of this customer. */
  readonly provisioned: FactRows[6];
}

function factsFrom(identifier: string, rows: RowsOfCustomer): CustomerFacts {
  const kind = kindOf(identifier);
  const { version, movedTo, sharing, carriers, provisioned } = rows;
  if (movedTo !== null) return aliasFacts({ version, grants: [], overrides: [] }, NO_INTEGRATION, movedTo);
  const customers = rows.customers.filter(({ customerId }) => customerId === identifier);
  const atStripe = [...rows.customers, ...sharing, ...carriers];
  const ownerOf = (name: string) => ownerAmong(name, atStripe, provisioned);
  // Rows of its other names do not make it known here.
  const isKnownHere =
    atStripe.some(({ stripeId, email, userId }) => [stripeId, email, userId].includes(identifier)) ||
    provisioned.some(({ identifier: id, email, userId }) => [id, email, userId].includes(identifier));
  const otherMode = rows.isInOtherMode && !isKnownHere ? { isInOtherMode: true as const } : {};
  const grants = rows.grants.map(withoutSubject);
  const overrides = rows.overrides.map(withoutSubject);
  const balances = balanceRows(rows.balances);
  // Rows of its other names are those of whoever the names belong to.
  const isOwn = ({ of }: { readonly of: string }) => of === identifier;
  const entries = {
    version,
    grants: grants.filter(isOwn).map(withoutOwner),
    overrides: overrides.filter(isOwn).map(withoutOwner),
    ...(balances && balancesByOwner(balances.filter(isOwn).slice(0, MAX_BALANCES).map(withoutOwner))),
  };

  const owner = ownerOf(identifier);
  if (owner !== null && owner.customer !== identifier) {
    return { ...aliasFacts(entries, owner.integrationId, owner.customer), ...otherMode };
  }
  const created = provisioned.find((each) => each.identifier === identifier) ?? NOT_CREATED;
  if (kind === 'email' && created === NOT_CREATED)
    return { ...entries, ...otherMode, aliasOf: null, ...namesakesOf(sharing) };

  const [customer = null, ...others] = customers;
  const isTheirName = (name: string | null) => name !== null && ownerOf(name)?.customer === identifier;
  const emails = new Set([created.email, ...customers.map(({ email }) => email)].filter(isTheirName));
  const isNamedByEmail = ({ email, integrationId }: StripeRow) => {
    const of = email === null ? null : ownerOf(email);
    return of?.customer === identifier && (of.integrationId || integrationId) === integrationId;
  };
  const userIds = otherIdsOf(identifier, customers, created).filter(({ id }) => isTheirName(id));
  const isTheirs = ({ of }: { readonly of: string }) =>
    of === identifier || emails.has(of) || userIds.some(({ id }) => id === of);
  // With several emails, who shares one of them counts for checks by that one.
  const ofOtherIds = sharing
    .filter((each) => emails.has(each.email) && each.customerId !== identifier)
    .map((each) => (emails.size > 1 ? { ...each, isOfOneEmail: true as const } : each));
  // Only of an id that is an email: it is a customer of its own, whomever the email belongs to elsewhere.
  const ofOwnEmail = sharing.filter((each) => each.email === identifier).map(asSeparate);
  const isEmail = kind === 'email' ? { isEmail: true as const } : {};
  const asTheirs = <Entry extends { readonly of: string }>({ of, ...entry }: Entry) =>
    of === identifier ? entry : { ...entry, isFromEmail: true as const };
  return {
    version,
    grants: grants.filter(isTheirs).map(asTheirs),
    overrides: overrides.filter(isTheirs).map(asTheirs),
    ...(balances && balancesByOwner(balances.filter(isTheirs).slice(0, MAX_BALANCES).map(asTheirs))),
    ...(created.email === null && created.userId === null
      ? {}
      : { provisioned: { id: identifier, email: created.email, ...isEmail } }),
    ...(userIds.length === 0 ? {} : { userIds }),
    ...otherMode,
    // Any other identifier may be the id of a Stripe customer too: accounts can choose ids.
    ...(customer === null && kind !== 'stripe-customer'
      ? {}
      : { stripe: customer === null ? null : asStripeFacts(customer, isNamedByEmail(customer)) }),
    ...namesakesOf(
      [...others, ...ofOtherIds, ...ofOwnEmail, ...otherCarriers(identifier, carriers, created, customers)],
      (each) => (each.customerId === identifier && isNamedByEmail(each) ? each.email : null),
    ),
  };
}

const NOT_CREATED = { email: null, userId: null } as const;

type Entries = Pick<CustomerFacts, 'version' | 'grants' | 'overrides' | 'balances' | 'entityBalances'>;

function aliasFacts(entries: Entries, integrationId: string, customerId: string): CustomerFacts {
  return { ...entries, aliasOf: { integrationId, customerId } };
}

/**
 * The ids besides its own that may be aliases of the customer: the application's user ids, and those of the Stripe customers that it is the
 * same as.
 */
function otherIdsOf(
  identifier: string,
  customers: readonly StripeRow[],
  created: { readonly userId: string | null },
): UserIdRef[] {
  const own = [
    { id: created.userId, integrationId: NO_INTEGRATION },
    ...customers.flatMap(({ stripeId, userId, integrationId }) => [
      { id: stripeId, integrationId },
      { id: userId, integrationId },
    ]),
  ];
  const seen = new Set<string>([identifier]);
  return own.flatMap(({ id, integrationId }) => {
    if (id === null || seen.has(id)) return [];
    seen.add(id);
    return [{ id, integrationId }];
  });
}

/**
 * Further customers with the user id: of a customer created by API that has it, or of the user id itself if it is no alias. Their
 * subscriptions count for checks by it.
 * @param created the customer created by API: what a call says of a carrier goes before the carrier's metadata, which then is another one
 * @param customers at Stripe: with the identifier as their id it is nobody else's, and of an account that has one no other carrier counts
 */
function otherCarriers(
  identifier: string,
  carriers: readonly StripeRow[],
  created: Pick<CreatedNames, 'email' | 'userId'>,
  customers: readonly StripeRow[],
): StripeRow[] {
  const ownId = created.userId;
  const isOther = ({ customerId, stripeId }: StripeRow) =>
    customerId !== identifier && (created === NOT_CREATED || customerId === stripeId);
  const hasOne = ({ integrationId, livemode }: StripeRow) =>
    customers.some(
      (each) =>
        each.stripeId === identifier || (each.integrationId === integrationId && each.livemode === livemode),
    );
  const ofName = carriers.filter((each) => each.userId === identifier && !hasOne(each));
  const ofOwnId = ownId === null ? [] : carriers.filter(({ userId }) => userId === ownId);
  return [...ofName, ...ofOwnId]
    .filter(isOther)
    .map((each) => ({ ...each, isCarrier: true, emailRole: 'separate' }));
}

export function kindOf(identifier: string): IdentifierKind {
  const read = readIdentifier(identifier);
  return read.ok ? read.kind : 'other';
}

/** SQL: the identifiers as rows of `subject` and `is_email`. */
function subjectsOf(identifiers: readonly string[]): SQL {
  const given = JSON.stringify(identifiers.map((each) => [each, kindOf(each) === 'email' ? 1 : 0]));
  return sql`SELECT value ->> 0 AS subject, value ->> 1 AS is_email FROM json_each(${given})`;
}

/** SQL: all names whose rows can apply to a subject: itself, its emails and user ids, and those of the Stripe customers that it is. */
function namesOf(orgId: string, environmentId: string, subjects: SQL): SQL {
  // CROSS JOIN fixes the join order: SQLite does not scan the organisation's customers. The email is the first of each row's names.
  const named = (
    from: SQL,
    names: SQL,
    where: SQL,
  ) => sql`SELECT g.subject, j.value, j.key = 0 FROM (${subjects}) g
    CROSS JOIN ${from} CROSS JOIN json_each(json_array(${names})) j WHERE ${where} AND j.value IS NOT NULL`;
  // D1 takes at most five terms in a compound SELECT.
  return sql`SELECT subject, subject AS name, is_email FROM (${subjects})
    UNION ${named(
      sql`${stripeCustomer} n`,
      sql`n.email, n.user_id`,
      sql`NOT g.is_email AND n.org_id = ${orgId} AND n.id = g.subject`,
    )}
    UNION ${named(
      sql`${provisionedCustomer} p`,
      sql`p.email, p.user_id`,
      sql`p.environment_id = ${environmentId} AND p.identifier = g.subject`,
    )}
    UNION ${named(
      sql`${customerSource} s CROSS JOIN ${stripeCustomer} n`,
      sql`n.email, n.user_id, n.id`,
      sql`s.environment_id = ${environmentId} AND s.identifier = g.subject AND n.integration_id = s.integration_id
        AND n.id = s.customer_id`,
    )}
    UNION ${named(
      sql`${provisionedCustomer} p CROSS JOIN ${stripeCustomer} n`,
      sql`n.email, n.id`,
      sql`p.environment_id = ${environmentId} AND p.identifier = g.subject AND n.org_id = ${orgId}
        AND n.user_id = g.subject`,
    )}`;
}

/**
 * The highest version of all rows that the facts of a subject with the names `n` are derived from. Rows of customers deleted in
 * Stripe remain as tombstones, and an email that a Stripe customer once had has a row in `customer`. Rows of a deleted
 * integration are removed, so its deletion time counts instead. A restored database lacks rows: the instant of the restore counts.
 */
function versionOf(orgId: string): SQL<number> {
  const highest = (table: typeof customer | typeof stripeCustomer, column: string, isAsked = sql`TRUE`) =>
    sql`coalesce((SELECT max(v.facts_version) FROM ${table} v WHERE ${isAsked} AND v.org_id = ${orgId}
      AND v.${sql.raw(column)} = n.name), 0)`;
  const isId = sql`NOT n.is_email`;
  return sql<number>`max(max(${highest(customer, 'identifier')}, ${highest(stripeCustomer, 'email')},
    ${highest(stripeCustomer, 'id', isId)}, ${highest(stripeCustomer, 'user_id', isId)}, ${organisationVersion(orgId)}))`;
}

/**
 * SQL: of a subject with the names `n`, a list of the open balances of each name that has any, in JSON and separated by commas; null: it
 * has none. A column of another statement, so that customers without balances cost neither a statement nor a row.
 */
function balancesOf(orgId: string, environmentId: string): SQL<string | null> {
  const isPaidHere = sql`(b.livemode IS NOT 0 OR (SELECT e.type FROM ${environment} e WHERE e.id = ${environmentId}) <> 'live')`;
  const row = sql`json_object('of', b.customer_identifier, 'id', b.id, 'propertyId', b.property_id,
    'amount', b.amount - b.taken_back, 'category', b.category, 'startsAt', b.starts_at, 'endsAt', b.ends_at,
    'priority', b.priority, 'isFrozen', b.is_frozen, 'needsPlan', b.needs_plan, 'name', b.name, 'entity', b.entity_id)`;
  const open = sql`SELECT ${row} AS balance FROM ${customerBalance} b WHERE b.org_id = ${orgId}
    AND b.customer_identifier = n.name AND ${isUnclosed(sql`b.closed_at`)}
    AND (b.environment_id IS NULL OR b.environment_id = ${environmentId}) AND ${isPaidHere}
    ORDER BY b.ends_at DESC ${limitTo(MAX_BALANCES)}`;
  return sql<
    string | null
  >`group_concat((SELECT nullif(json_group_array(json(o.balance)), '[]') FROM (${open}) o))`;
}

type BalanceRow = BalanceFacts & { readonly of: string };

/** Those that end last come first. Undefined: none, as for most customers. */
function balanceRows(lists: string | null): BalanceRow[] | undefined {
  if (lists === null) return undefined;
  type Stored = Omit<BalanceRow, 'name' | 'endsAt' | 'isFrozen' | 'needsPlan' | 'entity'> & {
    readonly name: string | null;
    readonly entity: string | null;
    readonly endsAt: number;
    readonly isFrozen: number;
    readonly needsPlan: number;
  };
  return (JSON.parse(`[${lists}]`) as Stored[][])
    .flat()
    .sort((one, other) => other.endsAt - one.endsAt || compareText(one.id, other.id))
    .map(({ name, entity, isFrozen, needsPlan, ...balance }) => ({
      ...balance,
      endsAt: balance.endsAt === NO_END ? null : balance.endsAt,
      ...(name !== null && { name }),
      ...(entity !== null && { entity }),
      ...(isFrozen && { isFrozen: true }),
      ...(needsPlan && { needsPlan: true }),
    }));
}

/** Whether a subject `n` is a customer in test mode, and the environment is live. */
function isInOtherMode(orgId: string, environmentId: string): SQL<number> {
  const c = sql.raw('c');
  const isNamed = (
    column: string,
    value = sql`c.${sql.raw(column)}`,
  ) => sql`EXISTS (SELECT 1 FROM ${stripeCustomer} c
    WHERE c.org_id = ${orgId} AND c.${sql.raw(column)} = n.subject AND ${isSeenIn(c, null)} AND ${value} IS NOT NULL)`;
  return sql<number>`(SELECT e.type FROM ${environment} e WHERE e.id = ${environmentId}) = 'live'
    AND (${isNamed('id')} OR ${isNamed('email')} OR ${isNamed('user_id', userIdInEffect(c))})`;
}

function manualEntries(db: Db, orgId: string, environmentId: string, names: SQL) {
  const appliesHere = (table: typeof customerGrant | typeof customerOverride) =>
    and(
      eq(table.orgId, orgId),
      sql`${table.customerIdentifier} = n.name`,
      or(isNull(table.environmentId), eq(table.environmentId, environmentId)),
    );
  const subject = sql<string>`n.subject`.as('subject');
  return [
    db
      .select({
        subject,
        of: columnOf(customerGrant.customerIdentifier),
        planId: columnOf(customerGrant.planId),
        until: columnOf(customerGrant.until),
        anchorAt: sql<number>`coalesce(${customerGrant.anchorAt}, ${customerGrant.createdAt})`.as(
          'anchor_at',
        ),
      })
      .from(sql`(${names}) n CROSS JOIN ${customerGrant}`)
      .where(appliesHere(customerGrant))
      .orderBy(asc(customerGrant.id)),
    db
      .select({
        subject,
        of: columnOf(customerOverride.customerIdentifier),
        propertyId: columnOf(customerOverride.propertyId),
        value: columnOf(customerOverride.value),
        until: columnOf(customerOverride.until),
      })
      .from(sql`(${names}) n CROSS JOIN ${customerOverride}`)
      .where(appliesHere(customerOverride))
      // If two overrides set one property, the later entry wins: the environment's own comes after the one for all
      // environments (NULL sorts first). The unary plus keeps SQLite from scanning an index in this order.
      .orderBy(sql`+${customerOverride.environmentId}`, asc(customerOverride.id)),
  ] as const;
}

/** An email has one at most: it cannot be given to a second one. */
function provisionedNamed(db: Db, environmentId: string, names: SQL) {
  const p = sql.raw('p');
  // In three parts: for OR, SQLite would read every customer of the environment.
  const by = (column: string) =>
    sql`SELECT q.rowid FROM ${provisionedCustomer} q WHERE q.environment_id = ${environmentId} AND q.${sql.raw(column)} = n.name`;
  return db
    .select({
      subject: sql<string>`n.subject`.as('subject'),
      identifier: sql<string>`p.identifier`.as('identifier'),
      email: sql<string | null>`p.email`.as('email'),
      userId: sql<string | null>`p.user_id`.as('user_id'),
    })
    .from(sql`(${names}) n CROSS JOIN ${provisionedCustomer} ${p}`)
    .where(sql`p.rowid IN (${by('identifier')} UNION ${by('email')} UNION ${by('user_id')})`);
}

function withoutSubject<Row extends { readonly subject: string }>({
  subject: _,
  ...row
}: Row): Omit<Row, 'subject'> {
  return row;
}

function withoutOwner<Entry extends { readonly of: string }>({ of: _, ...entry }: Entry): Omit<Entry, 'of'> {
  return entry;
}

/** A column of a table that is joined in SQL: drizzle selects only columns of tables that it joins itself. */
function columnOf<Of extends Column>(column: Of): SQL.Aliased<GetColumnData<Of>> {
  return sql`${column}`.mapWith(column).as(column.name) as SQL.Aliased<GetColumnData<Of>>;
}

interface NamedCustomers {
  /** SQL: rows of `subject` and `name`. */
  readonly names: SQL;
  /** What a customer is looked up by. */
  readonly column: 'id' | 'email' | 'user_id';
  /** Customers per name. */
  readonly limit: number;
}

/** The Stripe customers of each subject, ordered by ownership. Who carries a user id does not own it by an email. */
function customersNamed(
  db: Db,
  orgId: string,
  environmentId: string,
  { names, column, limit }: NamedCustomers,
) {
  const { integrationId, id, email, emailRole, emailRoleAt, livemode, metadata, createdAt } = stripeCustomer;
  const { subscriptions, ended } = stripeCustomer;
  const row = sql`${stripeCustomer}`;
  const c = sql.raw('c');
  const inOrder = column === 'user_id' ? byPaying : byOwnership;
  const first = sql`SELECT c.rowid FROM ${stripeCustomer} c WHERE c.org_id = ${orgId}
    AND c.${sql.raw(column)} = n.name AND ${isSeenIn(c, environmentId)} ORDER BY ${inOrder(c)} ${limitTo(limit)}`;
  return db
    .select({
      subject: sql<string>`n.subject`.as('subject'),
      integrationId: columnOf(integrationId),
      stripeId: columnOf(id),
      customerId: knownAs(row, environmentId).as('known_as'),
      email: columnOf(email),
      userId: userIdInEffect(row).as('user_id'),
      emailRole: columnOf(emailRole),
      emailRoleAt: columnOf(emailRoleAt),
      livemode: columnOf(livemode),
      createdAt: columnOf(createdAt),
      subscriptions: columnOf(subscriptions),
      ended: columnOf(ended),
      metadata: columnOf(metadata),
    })
    .from(sql`(${names}) n CROSS JOIN ${stripeCustomer}`)
    .where(sql`${stripeCustomer}.rowid IN (${first})`)
    .orderBy(inOrder(row));
}

type StripeRow = FactRows[3][number] & {
  /** It counts for checks by its user id only. */
  readonly isCarrier?: true;
  /** It counts for checks by its email, and not by others of the customer. */
  readonly isOfOneEmail?: true;
};

/** The email is a customer of its own here, whatever it is in other environments. */
function asSeparate(row: StripeRow): StripeRow {
  return { ...row, emailRole: 'separate' };
}

function asStripeFacts(row: StripeRow, isNamedByEmail: boolean): StripeFacts {
  const { integrationId, customerId, email, metadata, createdAt } = row;
  const subscriptions = subscriptionsOf(row);
  const own = { subscriptions, ...endedOf(row), metadata, createdAt };
  return { integrationId, customerId, email, isNamedByEmail, ...own };
}

function namesakesOf(
  rows: readonly StripeRow[],
  aliasEmailOf: (row: StripeRow) => string | null = () => null,
): Pick<CustomerFacts, 'namesakes'> {
  if (rows.length === 0) return {};
  return {
    namesakes: rows.slice(0, MAX_NAMESAKES).map((row) => {
      const aliasEmail = aliasEmailOf(row);
      return {
        integrationId: row.integrationId,
        customerId: row.customerId,
        subscriptions: subscriptionsOf(row),
        ...endedOf(row),
        ...(row.emailRole === 'separate' ? { isSeparate: true } : {}),
        ...(aliasEmail === null ? {} : { aliasEmail }),
        ...(row.isCarrier && row.userId !== null ? { userId: row.userId } : {}),
        ...(row.isOfOneEmail && row.email !== null ? { email: row.email } : {}),
      };
    }),
  };
}

function subscriptionsOf({
  integrationId,
  livemode,
  subscriptions,
}: StripeRow): readonly SubscriptionFacts[] {
  return subscriptions.map((subscription) => ({ ...subscription, integrationId, livemode }));
}

function endedOf({ ended }: StripeRow): Pick<StripeFacts, 'ended'> {
  return ended === null ? {} : { ended };
}
