/**
 * The words by which a customer is found: those of its identifier, email and name, and those of the Stripe customers that it is. Folding is
 * no work for SQL, so statements that change several customers at once leave some words as they were, and the push of their facts calls
 * this. See worker/domains/customers/README.md, "The customers table".
 */
import { type SQL, sql } from 'drizzle-orm';
import { searchWords } from '#engine/identity/search-words';
import { commit, type Db, type Statement } from '#worker/db/database';
import { insertSelect } from '#worker/db/insert-select';
import { customerWordRenewal, knownCustomer, provisionedCustomer } from '#worker/db/schema/customers';
import { isProvisioned, joinedTo } from './known-customers.ts';

/** Customers per statement: with the longest words, their JSON stays below the 2 MB of a parameter. */
const PER_STATEMENT = 50;

/** SQL: id, email and name of the Stripe customers that a row of `known_customer` is, as JSON. */
export function joinedTexts(): SQL<string> {
  return sql<string>`(SELECT json_group_array(json_array(s.id, s.email, s.name))
    FROM ${joinedTo(sql`${knownCustomer.orgId}`, sql`${knownCustomer.identifier}`)})`;
}

export interface WordsRow {
  readonly orgId: string;
  readonly identifier: string;
  readonly email: string | null;
  readonly name: string | null;
  readonly words: readonly string[];
  /** `joinedTexts` */
  readonly joined: string;
}

/**
 * The statement after which the words of the organisation's customers are renewed: those of customers that were created in an environment, and
 * of the Stripe customers that they were, whatever their number.
 */
export function renewWordsOfCreatedIn(db: Db, orgId: string, environmentId: string): Statement {
  const { afterOrgId, afterIdentifier } = customerWordRenewal;
  return insertSelect(
    db,
    customerWordRenewal,
    { id: sql`1`, afterOrgId: orgId, afterIdentifier: '' },
    {
      where: sql`EXISTS (SELECT 1 FROM ${provisionedCustomer} WHERE ${provisionedCustomer.environmentId} = ${environmentId})`,
    },
  ).onConflictDoUpdate({
    target: customerWordRenewal.id,
    set: { afterOrgId: orgId, afterIdentifier: '' },
    setWhere: sql`(${afterOrgId}, ${afterIdentifier}) > (${orgId}, '')`,
  });
}

/** @param names canonical; those without an entry in the list, and those whose words are known to be right, change nothing */
export async function renewWordsOf(db: Db, orgId: string, names: readonly string[]): Promise<void> {
  const { identifier, email, name, words } = knownCustomer;
  const rows = await db
    .select({ orgId: knownCustomer.orgId, identifier, email, name, words, joined: joinedTexts() })
    .from(knownCustomer)
    .where(
      sql`${knownCustomer.orgId} = ${orgId} AND ${identifier} IN (SELECT value FROM json_each(${JSON.stringify(names)}))
        AND (${words} = json_array(lower(${identifier})) OR ${isProvisioned(orgId, sql`${identifier}`)})`,
    );
  const statements = wordStatements(db, rows);
  if (statements.length > 0) await commit(db, statements);
}

/** A customer whose words have changed since it was read keeps them. */
export function wordStatements(db: Db, rows: readonly WordsRow[]): Statement[] {
  const changed = rows.flatMap(({ words: before, joined, ...row }) => {
    const others = (JSON.parse(joined) as (string | null)[][]).flatMap((texts) => searchWords(texts));
    const words = [...new Set([...searchWords([row.identifier, row.email, row.name]), ...others])].toSorted();
    return JSON.stringify(words) === JSON.stringify(before) ? [] : [{ ...row, before, words }];
  });
  const { orgId, identifier, email, name, words } = knownCustomer;
  return Array.from({ length: Math.ceil(changed.length / PER_STATEMENT) }, (_, index) => {
    const given = JSON.stringify(changed.slice(index * PER_STATEMENT, (index + 1) * PER_STATEMENT));
    return db
      .update(knownCustomer)
      .set({ words: sql`g.value -> 'words'` })
      .from(sql`json_each(${given}) g`)
      .where(
        sql`${orgId} = g.value ->> 'orgId' AND ${identifier} = g.value ->> 'identifier' AND ${words} = g.value -> 'before'
          AND ${email} IS g.value ->> 'email' AND ${name} IS g.value ->> 'name'`,
      );
  });
}
