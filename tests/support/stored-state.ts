// Snapshots an organisation's database rows, to assert that a refused call changes nothing.
import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import type { Tenant } from './tenants.ts';

const WORKSPACE: readonly string[] = [
  'SELECT * FROM feature WHERE org_id = ? ORDER BY id',
  'SELECT * FROM feature_property WHERE org_id = ? ORDER BY id',
  'SELECT * FROM plan WHERE org_id = ? ORDER BY id',
  'SELECT * FROM plan_version WHERE org_id = ? ORDER BY plan_id, version',
  'SELECT * FROM plan_product WHERE org_id = ? ORDER BY plan_id, integration_id, product_id',
  'SELECT * FROM workflow WHERE org_id = ? ORDER BY id',
  // Publishing the workspace moves the preview environment by itself: what it moves is left out.
  `SELECT id, name, description, url, type, deleted_at, updated_at,
     CASE type WHEN 'preview' THEN NULL ELSE generation END AS generation
   FROM environment WHERE org_id = ? ORDER BY id`,
  'SELECT * FROM api_key WHERE org_id = ? ORDER BY id',
  'SELECT * FROM jwt_integration WHERE org_id = ? ORDER BY id',
  'SELECT workspace_revision FROM organization WHERE id = ?',
];

const AUDIT_LOG = 'SELECT * FROM audit_log WHERE org_id = ? ORDER BY id';

/** Every row that the workspace's calls may write. */
export function storedState(tenant: Pick<Tenant, 'orgId'>): Promise<unknown[][]> {
  return readAll(tenant, [...WORKSPACE, AUDIT_LOG]);
}

/** The same without the audit log, which keeps the ids of what was deleted. */
export function storedWorkspace(tenant: Pick<Tenant, 'orgId'>): Promise<unknown[][]> {
  return readAll(tenant, WORKSPACE);
}

async function readAll({ orgId }: Pick<Tenant, 'orgId'>, queries: readonly string[]): Promise<unknown[][]> {
  const results = await env.DB.batch(queries.map((query) => env.DB.prepare(query).bind(orgId)));
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

export interface AuditRow {
  readonly action: string;
  readonly actorUserId: string | null;
  readonly targetId: string | null;
  readonly detail: unknown;
}

/** The organisation's audit log, oldest first. */
export async function auditRows({ orgId }: Pick<Tenant, 'orgId'>): Promise<AuditRow[]> {
  const { results } = await env.DB.prepare(
    'SELECT action, actor_user_id AS actorUserId, target_id AS targetId, detail FROM audit_log WHERE org_id = ? ORDER BY at, rowid',
  )
    .bind(orgId)
    .all<AuditRow & { detail: string | null }>();
  return results.map((row) => ({ ...row, detail: row.detail === null ? null : JSON.parse(row.detail) }));
}

/** The actions in the audit log with the ids of their targets, oldest first. */
export async function auditTrail(
  tenant: Pick<Tenant, 'orgId'>,
): Promise<Pick<AuditRow, 'action' | 'targetId'>[]> {
  return (await auditRows(tenant)).map(({ action, targetId }) => ({ action, targetId }));
}
