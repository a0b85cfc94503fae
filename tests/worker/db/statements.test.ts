// Conditional commits (all or nothing, decided inside the transaction), and INSERT … SELECT by column name.
import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { commitIf } from '#worker/db/commit-if';
import { isUniqueViolation, openDatabase } from '#worker/db/database';
import { insertSelect } from '#worker/db/insert-select';
import { deadLetter, outbox } from '#worker/db/schema/operations';
import { outboxRowsFrom } from '#worker/queue/outbox';

const db = openDatabase(env.DB);

const row = (id: string) =>
  db.insert(deadLetter).values({ id, queue: 'some-queue', body: {}, attempts: 1, diedAt: 1 });

async function ids(): Promise<string[]> {
  const rows = await db.select({ id: deadLetter.id }).from(deadLetter).orderBy(deadLetter.id);
  await db.delete(deadLetter);
  return rows.map(({ id }) => id);
}

test('all statements are committed when every condition is true, and when there is none', async () => {
  expect(await commitIf(db, { one: sql`1 = 1`, two: sql`2 > 1` }, [row('a'), row('b')])).toBeNull();
  expect(await commitIf(db, {}, [row('c')])).toBeNull();
  expect(await ids()).toEqual(['a', 'b', 'c']);
});

test('nothing is committed when a condition is false or NULL, and the first unmet one is named', async () => {
  const conditions = { holds: sql`1 = 1`, fails: sql`1 = 2`, failsToo: sql`1 = 3` };
  expect(await commitIf(db, conditions, [row('a')])).toBe('fails');
  expect(await commitIf(db, { isNull: sql`NULL` }, [row('a')])).toBe('isNull');
  expect(await ids()).toEqual([]);
});

test('a condition sees the rows before the commit, not the rows that its statements write', async () => {
  const isEmpty = sql`(SELECT count(*) FROM ${deadLetter}) = 0`;
  const outcomes = await Promise.all(['a', 'b', 'c', 'd'].map((id) => commitIf(db, { isEmpty }, [row(id)])));
  expect(outcomes.filter((unmet) => unmet === null)).toHaveLength(1);
  expect(outcomes.filter((unmet) => unmet === 'isEmpty')).toHaveLength(3);
  expect(await ids()).toHaveLength(1);
});

test('any other failure is thrown and rolls everything back, whatever its message says', async () => {
  await db.insert(deadLetter).values({ id: 'taken', queue: 'q', body: {}, attempts: 1, diedAt: 1 });
  const failing = commitIf(db, { fine: sql`1 = 1` }, [row('a'), row('taken')]);
  await expect(failing).rejects.toSatisfy((error: unknown) => isUniqueViolation(error, 'dead_letter.id'));
  expect(await ids()).toEqual(['taken']);
  const hostile = sql`json_extract('{}', ${"unmet:other'"}) = 1`;
  await expect(commitIf(db, { fine: hostile }, [row('a')])).rejects.toThrow();
  expect(await ids()).toEqual([]);
});

test('a selected row has each value in its named column, encoded as that column is, and defaults elsewhere', async () => {
  const from = sql`(SELECT 'first' AS name UNION ALL SELECT 'second')`;
  const values = { queue: sql`name`, id: sql`'dead_' || name`, body: { list: [1] }, attempts: 2, diedAt: 3 };
  await insertSelect(db, deadLetter, values, { from, where: sql`name <> 'second'` });
  expect(await db.select().from(deadLetter)).toEqual([
    { id: 'dead_first', queue: 'first', body: { list: [1] }, attempts: 2, diedAt: 3 },
  ]);
  const again = { ...values, body: { list: [2] } };
  await insertSelect(db, deadLetter, again, { from }).onConflictDoNothing();
  expect(await ids()).toEqual(['dead_first', 'dead_second']);
});

test('a message built in SQL is the row and the JSON that the same message has otherwise', async () => {
  const message = {
    type: 'stripe.customers-changed',
    orgId: 'org_sql',
    customers: ['cus_1', "o'neil@x.y"],
  } as const;
  const source = { from: sql`(SELECT 'a' AS name)` };
  const inSql = {
    ...message,
    outboxId: sql`'out_' || name`,
    customers: sql`json(${JSON.stringify(message.customers)})`,
  };
  await outboxRowsFrom(db, inSql, source, 7);
  const isOurs = sql`org_id = 'org_sql'`;
  expect(await db.select().from(outbox).where(isOurs)).toEqual([
    {
      id: 'out_a',
      orgId: 'org_sql',
      type: 'stripe.customers-changed',
      payload: { ...message, outboxId: 'out_a' },
      createdAt: 7,
      sentAt: 7,
      attempts: 1,
    },
  ]);
  await db.delete(outbox).where(isOurs);
});

test('a limit is written into the text of a statement, and is no parameter', () => {
  const { sql: text, params } = db.select().from(deadLetter).limit(3).toSQL();
  expect(text).toMatch(/ LIMIT 3$/);
  expect(params).toEqual([]);
  expect(db.select().from(deadLetter).toSQL().sql).not.toMatch(/LIMIT/i);
});
