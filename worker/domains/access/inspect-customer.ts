/** What would hold of a customer in an environment if they were asked about now; nothing is recorded or counted. */
import { and, eq, isNull } from 'drizzle-orm';
import type { CustomerFacts } from '#contracts/customer-facts';
import type { EnvironmentSnapshot } from '#contracts/snapshot';
import type { Warning } from '#contracts/subjects';
import type { Resolution } from '#engine/entitlements/resolution';
import { environment } from '#worker/db/schema/environments';
import { readUsage, type Usage } from '#worker/domains/metering/read-usage';
import { notFound } from '#worker/http/api-error';
import type { RequestContext, Scope } from '#worker/http/request-context';
import { resolveCheck } from './check-access.ts';
import { snapshotCacheOf } from './snapshot-cache-of.ts';

export interface InspectedCustomer {
  readonly snapshot: EnvironmentSnapshot;
  /** Null where nothing is deployed. */
  readonly resolution: Resolution | null;
  /** Null where nothing is metered. */
  readonly usage: Usage | null;
  readonly warnings: Warning[];
}

/**
 * @param customer whose ledger counts
 * @param facts as the database has them
 * @throws {ApiError} not-found without such an environment
 */
export async function inspectCustomer(
  { db, env, now, place, waitUntil }: RequestContext,
  { orgId }: Scope,
  {
    environmentId,
    customer,
    facts,
  }: { readonly environmentId: string; readonly customer: string; readonly facts: CustomerFacts },
): Promise<InspectedCustomer> {
  const [own] = await db
    .select({ id: environment.id })
    .from(environment)
    .where(
      and(eq(environment.id, environmentId), eq(environment.orgId, orgId), isNull(environment.deletedAt)),
    );
  const loaded = own === undefined ? null : await snapshotCacheOf(env).get(own.id, place, waitUntil);
  if (loaded === null) throw notFound('The environment');
  const warnings: Warning[] = [];
  const identity = {
    isAuthenticated: true,
    method: 'identifier',
    identifier: customer,
    expiresAt: Infinity,
  } as const;
  const identified = { identity, only: undefined, warnings };
  const { resolution, reads } = resolveCheck({ loaded }, identified, facts, customer, now);
  const question = { customer, place, reads, now, consistency: 'local' } as const;
  const usage = reads.length === 0 ? null : await readUsage(env, loaded.snapshot, question, warnings);
  return { snapshot: loaded.snapshot, resolution, usage, warnings };
}
