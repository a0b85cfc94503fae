// The audit log in D1 has an end: by age, and by the number of an organisation's rows. What leaves is in R2 first.
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { newTenant } from '#tests/support/tenants';
import {
  archiveExcessActivity,
  archiveOldActivity,
  archivePrefix,
  MAX_ROWS,
} from '#worker/domains/activity/archive-activity';
import { workContext } from '#worker/http/make-work-context';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const now = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
const archiveOld = () => archiveOldActivity(workContext(env, () => now));
const archiveExcess = () => archiveExcessActivity(workContext(env, () => now));

const insert = (orgId: string | null, prefix: string, number: number, at: number) =>
  env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
      INSERT INTO audit_log (id, org_id, action, target_id, detail, at)
      SELECT ? || substr('0000000' || i, -7), ?, 'customer.changed', 'cus-' || i, '{"name":"Ada"}', ? + i FROM n`,
  )
    .bind(number, prefix, orgId, at)
    .run();
const idsOf = async (orgId: string | null) =>
  (
    await env.DB.prepare('SELECT id FROM audit_log WHERE org_id IS ? ORDER BY at, id')
      .bind(orgId)
      .all<{ id: string }>()
  ).results.map(({ id }) => id);
const totalOf = (orgId: string) =>
  env.DB.prepare("SELECT total FROM stored_rows WHERE org_id = ? AND kind = 'audit_log'")
    .bind(orgId)
    .first('total');

async function archived(orgId: string): Promise<{ id: string; orgId: string | null; detail: unknown }[]> {
  const { objects } = await env.EVENT_ARCHIVE.list({ prefix: archivePrefix(orgId) });
  const texts = await Promise.all(
    objects.map(async ({ key }) => {
      const body = (await env.EVENT_ARCHIVE.get(key))?.body;
      return new Response(body?.pipeThrough(new DecompressionStream('gzip'))).text();
    }),
  );
  return texts
    .join('')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

it('rows of more than thirteen months are archived with all they say, and younger ones stay', async () => {
  const { orgId } = await newTenant();
  const before = await idsOf(orgId);
  const limit = new Date(now);
  limit.setUTCMonth(limit.getUTCMonth() - 13);
  await insert(orgId, `aud_old_${orgId}`, 5, limit.getTime() - DAY_MS);
  await insert(orgId, `aud_young_${orgId}`, 3, limit.getTime() + DAY_MS);
  await insert(null, `aud_none_${orgId}`, 2, limit.getTime() - DAY_MS);
  await archiveOld();
  expect(await idsOf(orgId)).toHaveLength(before.length + 3);
  expect(await totalOf(orgId)).toBe(before.length + 3);
  const rows = await archived(orgId);
  expect(rows.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5].map((i) => `aud_old_${orgId}000000${i}`));
  expect(rows[0]).toMatchObject({
    orgId,
    action: 'customer.changed',
    targetId: 'cus-1',
    detail: { name: 'Ada' },
  });
  expect((await idsOf(null)).filter((id) => id.includes(orgId))).toEqual([]);
  expect((await archived('')).filter(({ id }) => id.includes(orgId))).toHaveLength(2);
  await archiveOld();
  expect(await archived(orgId)).toHaveLength(5);
});

it('an organisation keeps its newest 100,000 rows, and only archived rows can be deleted', async () => {
  const { orgId } = await newTenant();
  await insert(orgId, `aud_many_${orgId}`, 50, now - 30 * DAY_MS);
  const before = await idsOf(orgId);
  await env.DB.prepare("UPDATE stored_rows SET total = ? WHERE org_id = ? AND kind = 'audit_log'")
    .bind(MAX_ROWS + 10, orgId)
    .run();
  await archiveExcess();
  expect(await idsOf(orgId)).toEqual(before.slice(10));
  expect((await archived(orgId)).map(({ id }) => id)).toEqual(before.slice(0, 10));
  expect(await totalOf(orgId)).toBe(MAX_ROWS);
  const remove = env.DB.prepare('DELETE FROM audit_log WHERE id = ?');
  await expect(remove.bind(before[20] ?? '').run()).rejects.toThrow('append-only');
});

it('a run that ended between archive and deletion is repeated with the same object', async () => {
  const { orgId } = await newTenant();
  await insert(orgId, `aud_again_${orgId}`, 4, 1_000);
  await archiveOld();
  const first = await env.EVENT_ARCHIVE.list({ prefix: archivePrefix(orgId) });
  await insert(orgId, `aud_again_${orgId}`, 4, 1_000);
  await archiveOld();
  const second = await env.EVENT_ARCHIVE.list({ prefix: archivePrefix(orgId) });
  expect(second.objects.map(({ key }) => key)).toEqual(first.objects.map(({ key }) => key));
  expect(await archived(orgId)).toHaveLength(4);
});
