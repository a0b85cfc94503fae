// D1 says how large it is with every answer; from 70% of what it may be, the log warns.
import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import { checkDatabaseSize } from '#worker/db/check-database-size';

/** The database, as if it had this size. */
const ofSize = (bytes: number) => ({
  DB: { prepare: () => ({ run: async () => ({ meta: { size_after: bytes } }) }) } as unknown as D1Database,
});

test('a database that fills up is reported, and a small one never', async () => {
  const warn = vi.fn();
  const log = { info() {}, warn, error() {} };
  await checkDatabaseSize({ env, log });
  await checkDatabaseSize({ env: ofSize(6_900_000_000), log });
  expect(warn).not.toHaveBeenCalled();
  await checkDatabaseSize({ env: ofSize(7_100_000_000), log });
  expect(warn.mock.calls).toEqual([['the database is filling up', { bytes: 7_100_000_000, percent: 71 }]]);
  expect((await env.DB.prepare('SELECT 1').run()).meta.size_after).toBeGreaterThan(0);
});
