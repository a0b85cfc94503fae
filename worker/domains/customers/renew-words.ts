/**
 * Scheduled work: the words by which customers are found, where an earlier release derived others. A run looks at some customers, in the
 * order of their key, and the next one goes on after them.
 */
import { sql } from 'drizzle-orm';
import { searchWords } from '#engine/identity/search-words';
import { commit } from '#worker/db/database';
import { customerWordRenewal, knownCustomer } from '#worker/db/schema/customers';
import type { WorkContext } from '#worker/http/request-context';

/** Per run: each customer's words are up to 56 rows, which D1 writes while others wait. */
const MAX_READ = 200;
/** Customers per statement: with the longest words, their JSON stays below the 2 MB of a parameter. */
const PER_STATEMENT = 50;

export async function renewWords({ db }: WorkContext): Promise<void> {
  const [last] = await db.select().from(customerWordRenewal);
  if (last === undefined) return;
  const { orgId, identifier, email, name, words } = knownCustomer;
  const rows = await db
    .select({ orgId, identifier, email, name, words })
    .from(knownCustomer)
    .where(sql`(${orgId}, ${identifier}) > (${last.afterOrgId}, ${last.afterIdentifier})`)
    .orderBy(orgId, identifier)
    .limit(MAX_READ);
  const changed = rows.flatMap(({ words: before, ...row }) => {
    const after = searchWords([row.identifier, row.email, row.name]);
    return JSON.stringify(after) === JSON.stringify(before) ? [] : [{ ...row, words: after }];
  });
  const chunks = Array.from({ length: Math.ceil(changed.length / PER_STATEMENT) }, (_, index) =>
    JSON.stringify(changed.slice(index * PER_STATEMENT, (index + 1) * PER_STATEMENT)),
  );
  // A customer that was renamed since it was read has the words of its new name already.
  const updates = chunks.map((given) =>
    db
      .update(knownCustomer)
      .set({ words: sql`g.value -> 'words'` })
      .from(sql`json_each(${given}) g`)
      .where(
        sql`${orgId} = g.value ->> 'orgId' AND ${identifier} = g.value ->> 'identifier'
          AND ${email} IS g.value ->> 'email' AND ${name} IS g.value ->> 'name'`,
      ),
  );
  const end = rows.length === MAX_READ ? rows.at(-1) : undefined;
  await commit(db, [
    ...updates,
    end === undefined
      ? db.delete(customerWordRenewal)
      : db.update(customerWordRenewal).set({ afterOrgId: end.orgId, afterIdentifier: end.identifier }),
  ]);
}
