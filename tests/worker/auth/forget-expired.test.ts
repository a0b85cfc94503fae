// Sessions and mailed secrets that have ended are deleted, and what has not is kept.
import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { beforeAll, expect, it } from 'vitest';
import { type SignedIn, signedIn } from '#tests/support/accounts';
import { openDatabase } from '#worker/db/database';
import { session, verification } from '#worker/db/schema/auth';
import { forgetExpired, MAX_ROWS } from '#worker/domains/auth/forget-expired';

const db = openDatabase(env.DB);
const DAY_MS = 86_400_000;
const now = Date.now();
const forget = () => forgetExpired({ db, now });

let ada: SignedIn;
beforeAll(async () => {
  ada = await signedIn();
});

/** Sessions of the person and secrets of the email, by the milliseconds after which each ends. */
async function insert(prefix: string, endings: readonly number[]): Promise<void> {
  const dates = { createdAt: new Date(1), updatedAt: new Date(1) };
  for (const [index, ending] of endings.entries()) {
    const [id, expiresAt] = [`${prefix}-${index}`, new Date(now + ending)];
    await db.batch([
      db.insert(session).values({ ...dates, id, token: id, userId: ada.userId, expiresAt }),
      db.insert(verification).values({ ...dates, id, identifier: `reset:${id}`, value: id, expiresAt }),
    ]);
  }
}

async function left(prefix: string): Promise<string[][]> {
  const rows = await Promise.all([
    db.select({ id: session.id }).from(session).where(eq(session.userId, ada.userId)),
    db.select({ id: verification.id }).from(verification),
  ]);
  return rows.map((table) =>
    table
      .map(({ id }) => id)
      .filter((id) => id.startsWith(prefix))
      .sort(),
  );
}

it('sessions and secrets that have ended are deleted, and those that last a second longer are kept', async () => {
  await insert('ends', [-30 * DAY_MS, -1_000, 0, 1_000, DAY_MS]);
  await forget();
  expect(await left('ends')).toEqual([
    ['ends-3', 'ends-4'],
    ['ends-3', 'ends-4'],
  ]);
  expect((await ada.fetch('/api/user/orgs')).status).toBe(200);
});

it('one run deletes a bounded number, and the next ones the rest', async () => {
  await db.run(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MAX_ROWS + 3})
      INSERT INTO verification (id, identifier, value, expires_at, created_at, updated_at)
      SELECT 'many-' || i, 'reset:many', 'value', 1, 1, 1 FROM n`,
  );
  await forget();
  expect((await left('many'))[1]).toHaveLength(3);
  await forget();
  expect((await left('many'))[1]).toHaveLength(0);
});
