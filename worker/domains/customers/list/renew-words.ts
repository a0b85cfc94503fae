/**
 * Scheduled work: the words by which customers are found, where an earlier release derived others, or a deleted environment had their
 * customers, and who was joined before that was stored. A run looks at some customers, in the order of their key, and the next one goes on after them.
 */
import { sql } from 'drizzle-orm';
import { commit } from '#worker/db/database';
import { customerWordRenewal, knownCustomer } from '#worker/db/schema/customers';
import { joinedTexts, renewalStatements } from '#worker/domains/customer-facts/renew-words-of';
import type { WorkContext } from '#worker/http/request-context';

/** Per run: each customer's words are up to 56 rows, which D1 writes while others wait. */
const MAX_READ = 200;

export async function renewWords({ db }: WorkContext): Promise<void> {
  const [last] = await db.select().from(customerWordRenewal);
  if (last === undefined) return;
  const { orgId, identifier, email, name, words } = knownCustomer;
  const rows = await db
    .select({ orgId, identifier, email, name, words, joined: joinedTexts() })
    .from(knownCustomer)
    .where(sql`(${orgId}, ${identifier}) > (${last.afterOrgId}, ${last.afterIdentifier})`)
    .orderBy(orgId, identifier)
    .limit(MAX_READ);
  const end = rows.length === MAX_READ ? rows.at(-1) : undefined;
  await commit(db, [
    ...renewalStatements(db, rows),
    end === undefined
      ? db.delete(customerWordRenewal)
      : db.update(customerWordRenewal).set({ afterOrgId: end.orgId, afterIdentifier: end.identifier }),
  ]);
}
