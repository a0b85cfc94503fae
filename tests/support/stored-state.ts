// What stands in the database of one organisation, for tests that a refused call leaves nothing behind.
import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import type { Tenant } from './tenants.ts';

const QUERIES: readonly string[] = [
  'SELECT * FROM feature WHERE org_id = ? ORDER BY id',
  'SELECT * FROM feature_property WHERE org_id = ? ORDER BY id',
  'SELECT * FROM plan WHERE org_id = ? ORDER BY id',
  'SELECT * FROM plan_version WHERE org_id = ? ORDER BY plan_id, version',
  'SELECT * FROM plan_product WHERE org_id = ? ORDER BY plan_id, integration_id, product_id',
  // Publishing the workspace moves the preview environment by itself: what it moves is left out.
  `SELECT id, name, description, url, type, deleted_at, updated_at,
     CASE type WHEN 'preview' THEN NULL ELSE generation END AS generation
   FROM environment WHERE org_id = ? ORDER BY id`,
  'SELECT * FROM api_key WHERE org_id = ? ORDER BY id',
  'SELECT * FROM jwt_integration WHERE org_id = ? ORDER BY id',
  'SELECT * FROM audit_log WHERE org_id = ? ORDER BY id',
  'SELECT workspace_revision FROM organization WHERE id = ?',
];

/** Every row that the workspace's calls may write. */
export async function storedState({ orgId }: Pick<Tenant, 'orgId'>): Promise<unknown[][]> {
  const results = await env.DB.batch(QUERIES.map((query) => env.DB.prepare(query).bind(orgId)));
  return results.map(({ results }) => results);
}

/** Runs the calls and expects that nothing in the organisation is different afterwards. */
export async function expectUnchanged(
  tenant: Pick<Tenant, 'orgId'>,
  calls: () => Promise<void>,
): Promise<void> {
  const before = await storedState(tenant);
  await calls();
  expect(await storedState(tenant)).toEqual(before);
}

/** The actions on record, in their order, with the ids they were done to. */
export async function auditTrail({
  orgId,
}: Pick<Tenant, 'orgId'>): Promise<{ action: string; targetId: string }[]> {
  const { results } = await env.DB.prepare(
    'SELECT action, target_id AS targetId FROM audit_log WHERE org_id = ? ORDER BY at, rowid',
  )
    .bind(orgId)
    .all<{ action: string; targetId: string }>();
  return results;
}
