// Inserts Stripe integrations and products as a sync would, for tests without Stripe.
import { env } from 'cloudflare:workers';
import type { Tenant } from './tenants.ts';

let serial = 0;

/** @returns the integration's id */
export async function storedIntegration({ orgId }: Pick<Tenant, 'orgId'>, livemode = false): Promise<string> {
  serial++;
  const id = `int_stored_${serial}_${orgId.slice(-8)}`;
  await env.DB.prepare(
    `INSERT INTO stripe_integration (id, org_id, name, account_id, livemode, masked_key, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, 'sk_…0000', 1, 1)`,
  )
    .bind(id, orgId, `Account ${serial}`, `acct_${serial}`, livemode ? 1 : 0)
    .run();
  return id;
}

export async function storedProduct(
  { orgId }: Pick<Tenant, 'orgId'>,
  integrationId: string,
  id: string,
): Promise<{ integrationId: string; productId: string }> {
  await env.DB.prepare(
    `INSERT INTO stripe_product (integration_id, org_id, id, name, active, livemode, created_at, read_at)
     VALUES (?, ?, ?, ?, 1, 0, 1, 1)`,
  )
    .bind(integrationId, orgId, id, `Product ${id}`)
    .run();
  return { integrationId, productId: id };
}

/** What Stripe deleted stays as a row that says so. */
export async function endProduct(integrationId: string, id: string): Promise<void> {
  await env.DB.prepare('UPDATE stripe_product SET deleted_at = 2 WHERE integration_id = ? AND id = ?')
    .bind(integrationId, id)
    .run();
}

export async function endIntegration(id: string): Promise<void> {
  await env.DB.prepare('UPDATE stripe_integration SET deleted_at = 2 WHERE id = ?').bind(id).run();
}
