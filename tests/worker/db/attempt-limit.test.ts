// A key's window: it ends by itself, and what has ended is deleted.
import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { takeAttempt } from '#worker/db/attempt-limit';
import { openDatabase } from '#worker/db/database';
import { attempt } from '#worker/db/schema/auth';

const db = openDatabase(env.DB);
const LIMIT = { max: 2, windowMs: 60_000 };
/** Earlier than any other test's attempts, so that it ends none of them. */
const START = 1_000;

test('a window lasts from its first attempt, refused ones do not extend it, and ended ones are deleted', async () => {
  const [key, other] = [crypto.randomUUID(), crypto.randomUUID()];
  const take = (at: number, of = key) => takeAttempt(db, of, LIMIT, START + at);
  expect([await take(0), await take(20_000), await take(30_000), await take(59_001)]).toEqual([
    null,
    null,
    30,
    1,
  ]);
  expect(await take(0, other)).toBeNull();
  expect(await take(60_000)).toBeNull();
  expect(await db.select().from(attempt).where(eq(attempt.key, other))).toEqual([]);
  expect([await take(60_001), await take(60_002)]).toEqual([null, 60]);
});
