/**
 * Decides whether an email becomes an alias of a Stripe customer: once per customer, after it was stored with the email. It
 * does if no other customer owns the email, and the email had no grants, overrides, balances or usage of its own before the customer.
 * Otherwise nothing moves, and a person can link the two in the console. See docs/names.md, "Customers with one email".
 */
import { desc, type SQL, sql } from 'drizzle-orm';
import type { EmailRole } from '#contracts/console/linked-customer';
import { commit, type Db, type Statement } from '#worker/db/database';
import {
  customerBalance,
  customerGrant,
  customerOverride,
  type EntryTable,
} from '#worker/db/schema/customers';
import { stripeCustomer } from '#worker/db/schema/stripe';
import type { WorkContext } from '#worker/http/request-context';
import { hasGranting, isSeenIn, ownsEmail } from './customer-names.ts';
import { knownCustomerStatements } from './known-customers.ts';
import { factsVersion, takeFactsVersion } from './next-facts-version.ts';

/** A customer with an email that it may own. */
interface Candidate {
  readonly integrationId: string;
  readonly id: string;
  readonly email: string;
  readonly emailSince: number;
  readonly livemode: boolean;
}

/** Since when usage was counted under emails, in all data locations of the environments. */
export type ReadUsageSince = (
  emails: readonly string[],
  isLive: boolean,
) => Promise<ReadonlyMap<string, number>>;

/**
 * Changes nothing for emails whose owner is known.
 * @throws if a ledger cannot be reached: the customers that it may have usage of stay undecided
 */
export async function decideEmailOwners(
  { db, clock }: Pick<WorkContext, 'db' | 'clock'>,
  orgId: string,
  emails: readonly string[],
  readUsageSince: ReadUsageSince,
): Promise<void> {
  const candidates = await findCandidates(db, orgId, emails);
  for (const isLive of [true, false]) {
    const ofMode = candidates.filter(({ livemode }) => livemode === isLive);
    if (ofMode.length === 0) continue;
    const names = ofMode.map(({ email }) => email);
    const [entriesSince, usageSince] = await Promise.all([
      readEntriesSince(db, orgId, names),
      readUsageSince(names, isLive),
    ]);
    const hasOlderData = ({ email, emailSince }: Candidate) =>
      Math.min(entriesSince.get(email) ?? Infinity, usageSince.get(email) ?? Infinity) < emailSince;
    const { separate = [], owner = [] } = Object.groupBy(ofMode, (each) =>
      hasOlderData(each) ? 'separate' : 'owner',
    );
    const now = clock();
    await commit(db, [
      ...setRole(db, orgId, separate, 'separate', now),
      ...setRole(db, orgId, owner, 'owner', now),
      ...(owner.length === 0 ? [] : knownCustomerStatements(db, orgId, owner.map(asEmail), now)),
    ]);
  }
}

const asEmail = ({ email }: Candidate) => ({ identifier: email });

const listed = (texts: readonly string[]) => sql`(SELECT value FROM json_each(${JSON.stringify(texts)}))`;

/** Condition: another customer owns the email of `row` wherever `row` is seen. Live customers are seen everywhere. */
function isOwnedByAnother(orgId: string, row: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM ${stripeCustomer} o WHERE o.org_id = ${orgId} AND o.email = ${row}.email
    AND ${ownsEmail(sql`o`)} AND (o.livemode OR NOT ${row}.livemode) AND ${isSeenIn(sql`o`, null)})`;
}

/** The first undecided customer of each email and mode that no other customer owns. */
async function findCandidates(db: Db, orgId: string, emails: readonly string[]): Promise<Candidate[]> {
  if (emails.length === 0) return [];
  const { integrationId, id, email, emailSince, livemode } = stripeCustomer;
  const row = sql`${stripeCustomer}`;
  const rows = await db
    .select({ integrationId, id, email, emailSince, livemode })
    .from(stripeCustomer)
    .where(
      sql`${row}.org_id = ${orgId} AND ${row}.email IN ${listed(emails)} AND ${row}.email_role = 'undecided'
        AND ${isSeenIn(row, null)} AND NOT ${isOwnedByAnother(orgId, row)}`,
    )
    .orderBy(emailSince, stripeCustomer.createdAt, desc(hasGranting(row)), id);
  const first = new Map<string, Candidate>();
  for (const each of rows) {
    const name = `${each.livemode} ${each.email}`;
    if (each.email !== null && !first.has(name)) first.set(name, { ...each, email: each.email });
  }
  return [...first.values()];
}

/** When the oldest grant, override or balance of each email was made, in any environment. */
async function readEntriesSince(
  db: Db,
  orgId: string,
  emails: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const oldest = (table: EntryTable) =>
    db
      .select({ email: table.customerIdentifier, since: sql<number>`min(${table.createdAt})`.as('since') })
      .from(table)
      .where(sql`${table.orgId} = ${orgId} AND ${table.customerIdentifier} IN ${listed(emails)}`)
      .groupBy(table.customerIdentifier);
  const found = await db.batch([oldest(customerGrant), oldest(customerOverride), oldest(customerBalance)]);
  const since = new Map<string, number>();
  for (const each of found.flat()) {
    since.set(each.email, Math.min(each.since, since.get(each.email) ?? Infinity));
  }
  return since;
}

/** Has no effect on customers that have changed or that a concurrent run has decided. */
function setRole(
  db: Db,
  orgId: string,
  candidates: readonly Candidate[],
  emailRole: EmailRole,
  now: number,
): Statement[] {
  if (candidates.length === 0) return [];
  const row = sql`${stripeCustomer}`;
  const given = JSON.stringify(candidates.map(({ integrationId, id, email }) => [integrationId, id, email]));
  const isOne = sql`(${row}.integration_id, ${row}.id, ${row}.email)
    IN (SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(${given}))`;
  return [
    takeFactsVersion(db, orgId, now),
    db
      .update(stripeCustomer)
      .set({ emailRole, emailRoleAt: now, factsVersion: factsVersion(orgId) })
      .where(
        sql`${row}.org_id = ${orgId} AND ${isOne} AND ${row}.email_role = 'undecided' AND NOT ${isOwnedByAnother(orgId, row)}`,
      ),
  ];
}
