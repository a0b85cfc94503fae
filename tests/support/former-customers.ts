// Customers as earlier releases stored them, under names that this one reads otherwise.
import { env } from 'cloudflare:workers';
import { correctMeter } from '#worker/domains/customers/entries/correct-meter';
import { workContext } from '#worker/http/make-work-context';
import type { RequestContext } from '#worker/http/request-context';
import type { PayingTenant } from './paying-tenants.ts';
import type { Tenant } from './tenants.ts';

type Org = Pick<Tenant, 'orgId'>;

/** Manual grants without an end, as seen calling. */
export async function storeAs({ orgId }: Org, name: string, { planIds }: { planIds: readonly string[] }) {
  const bind = (sql: string, ...values: unknown[]) => env.DB.prepare(sql).bind(orgId, name, ...values);
  await env.DB.batch([
    bind('INSERT INTO customer (org_id, identifier, created_at, updated_at) VALUES (?, ?, 1, 1)'),
    bind(
      "INSERT INTO known_customer (org_id, identifier, words, created_at, last_seen_at) VALUES (?, ?, '[]', 1, 5)",
    ),
    ...planIds.map((planId) =>
      bind(
        "INSERT INTO customer_grant (org_id, customer_identifier, id, plan_id, reason, created_at) VALUES (?, ?, ?, ?, 'Pilot', 1)",
        `grant_${crypto.randomUUID()}`,
        planId,
      ),
    ),
  ]);
}

/** Counts files in the ledger of the name, in the preview environment. */
export async function countAs(
  { tenant, previewId, files }: PayingTenant,
  name: string,
  by: number,
): Promise<void> {
  const place = { colo: null, country: null, city: null, continent: null, latitude: null, longitude: null };
  const ctx = { ...workContext(env, Date.now), place, requestId: 'req_former' } as unknown as RequestContext;
  const scope = { orgId: tenant.orgId, actor: { userId: 'user_former' } } as never;
  const body = { environmentId: previewId, propertyId: files.id, by, reason: 'Counted before' };
  await correctMeter(ctx, scope, name, { ...body, idempotencyKey: crypto.randomUUID() });
}

/** As the migration lists what may be stored otherwise than it is read. */
export async function listForRenewal({ orgId }: Org, name: string, reason = 'spelling'): Promise<void> {
  await env.DB.prepare('INSERT INTO customer_renewal (org_id, identifier, reason) VALUES (?, ?, ?)')
    .bind(orgId, name, reason)
    .run();
}
