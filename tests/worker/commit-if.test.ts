// Conditional commits: everything or nothing, decided inside the transaction.
import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { commitIf } from '#worker/db/commit-if';
import { isUniqueViolation, openDatabase } from '#worker/db/database';
import { deadLetter } from '#worker/db/schema/operations';

const db = openDatabase(env.DB);

const row = (id: string) =>
  db.insert(deadLetter).values({ id, queue: 'some-queue', body: {}, attempts: 1, diedAt: 1 });

async function ids(): Promise<string[]> {
  const rows = await db.select({ id: deadLetter.id }).from(deadLetter).orderBy(deadLetter.id);
  await db.delete(deadLetter);
  return rows.map(({ id }) => id);
}

test('all statements are committed when every condition holds, and when there is none', async () => {
  expect(await commitIf(db, { one: sql`1 = 1`, two: sql`2 > 1` }, [row('a'), row('b')])).toBeNull();
  expect(await commitIf(db, {}, [row('c')])).toBeNull();
  expect(await ids()).toEqual(['a', 'b', 'c']);
});

test('nothing is committed when a condition does not hold, and the first such one is named', async () => {
  const conditions = { holds: sql`1 = 1`, fails: sql`1 = 2`, failsToo: sql`1 = 3` };
  expect(await commitIf(db, conditions, [row('a')])).toBe('fails');
  expect(await commitIf(db, { isNull: sql`NULL` }, [row('a')])).toBe('isNull');
  expect(await ids()).toEqual([]);
});

test('a condition sees what stands at the moment of the commit, not what the statements make', async () => {
  const isEmpty = sql`(SELECT count(*) FROM ${deadLetter}) = 0`;
  const outcomes = await Promise.all(['a', 'b', 'c', 'd'].map((id) => commitIf(db, { isEmpty }, [row(id)])));
  expect(outcomes.filter((unmet) => unmet === null)).toHaveLength(1);
  expect(outcomes.filter((unmet) => unmet === 'isEmpty')).toHaveLength(3);
  expect(await ids()).toHaveLength(1);
});

test('any other failure is thrown and undoes everything, whatever it says', async () => {
  await db.insert(deadLetter).values({ id: 'taken', queue: 'q', body: {}, attempts: 1, diedAt: 1 });
  const failing = commitIf(db, { fine: sql`1 = 1` }, [row('a'), row('taken')]);
  await expect(failing).rejects.toSatisfy((error: unknown) => isUniqueViolation(error, 'dead_letter.id'));
  expect(await ids()).toEqual(['taken']);
  const hostile = sql`json_extract('{}', ${"unmet:other'"}) = 1`;
  await expect(commitIf(db, { fine: hostile }, [row('a')])).rejects.toThrow();
  expect(await ids()).toEqual([]);
});
