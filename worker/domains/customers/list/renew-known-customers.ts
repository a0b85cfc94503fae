/**
 * Scheduled work: the list of customers, derived again from what it follows from, with the words by which they are found and who is joined.
 * Each change keeps its own rows right, so this finds a difference only where an earlier release derived others, after an environment was
 * deleted, or after a fault. Once a day it begins, a run looks at some customers in the order of their key, and the next one goes on after
 * them. Rows of Stripe customers are derived again with each sync, and here only their words.
 */

import { and, isNotNull, type SQL, sql } from 'drizzle-orm';
import { commit, type Db } from '#worker/db/database';
import { limitTo } from '#worker/db/limit-to';
import {
  customer,
  customerWordRenewal,
  knownCustomer,
  provisionedCustomer,
} from '#worker/db/schema/customers';
import { knownCustomerStatements } from '#worker/domains/customer-facts/known-customers';
import { joinedTexts, wordStatements } from '#worker/domains/customer-facts/renew-words-of';
import type { WorkContext } from '#worker/http/request-context';

/** Per run: each customer's words are up to 56 rows, which D1 writes while others wait. */
const MAX_READ = 200;
/** Per run: each takes a batch. */
const MAX_ORGANISATIONS = 20;

/** Has no effect on a renewal that has not ended. */
export async function startRenewal({ db }: Pick<WorkContext, 'db'>): Promise<void> {
  await db
    .insert(customerWordRenewal)
    .values({ id: 1, afterOrgId: '', afterIdentifier: '' })
    .onConflictDoNothing();
}

export async function renewKnownCustomers({ db, now }: Pick<WorkContext, 'db' | 'now'>): Promise<void> {
  const [last] = await db.select().from(customerWordRenewal);
  if (last === undefined) return;
  const next = await nextKeys(db, last);
  const byOrganisation = [...Map.groupBy(next, ({ orgId }) => orgId)].slice(0, MAX_ORGANISATIONS);
  const keys = byOrganisation.flatMap(([, theirs]) => theirs);
  const { orgId, identifier, email, name, words, integrationId } = knownCustomer;
  const isKey = sql`(${orgId}, ${identifier}) IN
    (SELECT value ->> 'orgId', value ->> 'identifier' FROM json_each(${JSON.stringify(keys)}))`;
  const atStripe = await db
    .select({ orgId, identifier })
    .from(knownCustomer)
    .where(and(isKey, isNotNull(integrationId)));
  const isAtStripe = new Set(atStripe.map(keyOf));
  for (const [orgId, theirs] of byOrganisation) {
    const others = theirs.filter((key) => !isAtStripe.has(keyOf(key)));
    if (others.length > 0) await commit(db, knownCustomerStatements(db, orgId, others, now));
  }
  const rows = await db
    .select({ orgId, identifier, email, name, words, joined: joinedTexts() })
    .from(knownCustomer)
    .where(isKey);
  const isLast = next.length < MAX_READ && keys.length === next.length;
  const end = isLast ? undefined : keys.at(-1);
  await commit(db, [
    ...wordStatements(db, rows),
    end === undefined
      ? db.delete(customerWordRenewal)
      : db.update(customerWordRenewal).set({ afterOrgId: end.orgId, afterIdentifier: end.identifier }),
  ]);
}

interface Key {
  readonly orgId: string;
  readonly identifier: string;
}

const keyOf = ({ orgId, identifier }: Key) => `${orgId} ${identifier}`;

/** Of the next ones that are in the list, or may have to be: those that have facts, and those that were created by API. */
function nextKeys(db: Db, last: typeof customerWordRenewal.$inferSelect): Promise<Key[]> {
  const first = (
    table: typeof knownCustomer | typeof customer | typeof provisionedCustomer,
  ): SQL => sql`SELECT * FROM (SELECT t.org_id AS orgId, t.identifier FROM ${table} t
    WHERE (t.org_id, t.identifier) > (${last.afterOrgId}, ${last.afterIdentifier}) ORDER BY t.org_id, t.identifier ${limitTo(MAX_READ)})`;
  return db.all<Key>(sql`${first(knownCustomer)} UNION ${first(customer)} UNION ${first(provisionedCustomer)}
    ORDER BY orgId, identifier ${limitTo(MAX_READ)}`);
}
