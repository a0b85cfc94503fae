/** A customer's current values and usage in one environment, for the console. Nothing is recorded or counted. */
import type { CustomerFacts } from '#contracts/internal/customer-facts';
import type { EnvironmentSnapshot } from '#contracts/internal/snapshot';
import type { Warning } from '#contracts/public/subjects';
import { runAccessPipeline } from '#engine/access/access-pipeline';
import type { CountOptions } from '#engine/access/access-request';
import type { Counted } from '#engine/access/count-usage';
import type { Usage } from '#engine/access/ledger-call';
import type { ProvisionedPlans } from '#engine/entitlements/plans-of';
import type { Resolution } from '#engine/entitlements/resolution';
import { listEnvironmentIds, liveEnvironment } from '#worker/db/live-environments';
import { snapshotCacheOf } from '#worker/domains/snapshots/snapshot-cache-of';
import { Refusal } from '#worker/http/api-error';
import type { RequestContext, Scope } from '#worker/http/request-context';
import { accessEffects } from './effects/production-effects.ts';

export interface InspectedCustomer {
  readonly snapshot: EnvironmentSnapshot;
  /** Null if nothing is deployed. */
  readonly resolution: Resolution | null;
  /** Plans from workflows. */
  readonly provisioned: readonly ProvisionedPlans[];
  /** Null if nothing is metered. */
  readonly usage: Pick<Usage, 'readings' | 'location'> | null;
  /** Null if nothing was counted. */
  readonly counted: Counted | null;
  readonly warnings: readonly Warning[];
}

/** A request context satisfies this. */
export type InspectContext = Pick<RequestContext, 'db' | 'env' | 'now' | 'place' | 'requestId' | 'waitUntil'>;

export interface InspectedEnvironment {
  readonly environmentId: string;
  /** Canonical or as stored: the customer, or an email that is an alias of it. */
  readonly identifier: string;
  /** The customer that usage counts for, canonical. */
  readonly customer: string;
  /** As loaded from the database. */
  readonly facts: CustomerFacts;
}

/**
 * @param count counts usage instead of reading it
 * @throws {ApiError} not-found without such an environment
 */
export async function inspectCustomer(
  { db, env, now, place, requestId, waitUntil }: InspectContext,
  { orgId }: Scope,
  { environmentId, identifier, customer, facts }: InspectedEnvironment,
  count?: CountOptions,
): Promise<InspectedCustomer> {
  const [ownId] = await listEnvironmentIds(db, liveEnvironment(orgId, environmentId));
  const loaded = ownId === undefined ? null : await snapshotCacheOf(env).get(ownId, place, waitUntil);
  if (loaded === null)
    throw new Refusal('not-found', 'environment-unknown', 'The environment could not be found');
  const { subject, usage, counted, warnings } = await runAccessPipeline(accessEffects(env), {
    loaded,
    place,
    now,
    seed: requestId,
    count,
    keyType: 'secret',
    isUsageShown: true,
    known: { identifier, customer, facts },
  });
  const { resolution, provisioned } = subject;
  return { snapshot: loaded.snapshot, resolution, provisioned, usage, counted, warnings };
}
