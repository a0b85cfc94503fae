/**
 * The limits of listed meters as they are now. What a customer has used is known from its last call, but a deployment, an override or a
 * grant changes the limit without one. Workflows do not run: where a version has some, the limit stays as the call has read it.
 */
import { sql } from 'drizzle-orm';
import type { KnownCustomer } from '#contracts/console/customer-list';
import type { CustomerFacts } from '#contracts/internal/customer-facts';
import { activeFacts } from '#engine/entitlements/active-facts';
import { applyFacts } from '#engine/entitlements/apply-facts';
import { factsForIdentifier } from '#engine/entitlements/namesakes';
import { readOwnMeter } from '#engine/entitlements/read-own-meter';
import { resolvedValue } from '#engine/entitlements/resolve';
import { type MeteredAnswer, takenIn } from '#engine/metering/read-meter';
import type { Db } from '#worker/db/database';
import { customer } from '#worker/db/schema/customers';
import { environment } from '#worker/db/schema/environments';
import { stripeCustomer } from '#worker/db/schema/stripe';
import { inspectCustomer } from '#worker/domains/access/inspect-customer';
import { loadFactsOfMany } from '#worker/domains/customer-facts/load-customer-facts';
import type { LoadedEnvironment } from '#worker/domains/snapshots/snapshot-cache';
import { snapshotCacheOf } from '#worker/domains/snapshots/snapshot-cache-of';
import type { RequestContext, Scope } from '#worker/http/request-context';

/** Isolates may answer with what applied before for a few seconds. */
const LATE_MS = 60_000;

type Nearest = NonNullable<KnownCustomer['nearest']>;

interface NearCustomer extends KnownCustomer {
  readonly nearest: Nearest;
}

/** Evaluates only those whose limit may have changed since it was read. @param customers of one page */
export async function withCurrentLimits(
  ctx: RequestContext,
  scope: Scope,
  customers: readonly KnownCustomer[],
): Promise<KnownCustomer[]> {
  const near = customers.filter((each): each is NearCustomer => each.nearest !== null);
  const changed = await findChanged(ctx.db, scope, near);
  const current = new Map<string, Nearest | null>();
  await Promise.all(
    [...Map.groupBy(changed, ({ nearest }) => nearest.environmentId)].map(async ([environmentId, some]) => {
      const names = some.map(({ identifier }) => identifier);
      const [loaded, facts] = await Promise.all([
        // Without a region that answers, the list shows what was read.
        snapshotCacheOf(ctx.env)
          .get(environmentId, ctx.place, ctx.waitUntil)
          .catch(() => null),
        loadFactsOfMany(ctx.db, scope, environmentId, names),
      ]);
      await Promise.all(
        some.map(async ({ identifier, nearest }) => {
          const known = facts.get(identifier);
          if (loaded !== null && known !== undefined)
            current.set(
              identifier,
              await currentLimit(ctx, scope, loaded, nearest, { ...known, identifier }),
            );
        }),
      );
    }),
  );
  return customers.map((each) => {
    const nearest = current.get(each.identifier);
    return nearest === undefined ? each : { ...each, nearest };
  });
}

/**
 * By the environment's last deployment, the customer's grants and overrides, also those of its email, and its subscriptions. The preview
 * has no deployments. What ends by the clock alone shows with the next call.
 */
async function findChanged(
  db: Db,
  { orgId }: Scope,
  near: readonly NearCustomer[],
): Promise<readonly NearCustomer[]> {
  if (near.length === 0) return [];
  const given = near.map(({ identifier, email, nearest }) => [
    identifier,
    email,
    nearest.environmentId,
    nearest.readAt - LATE_MS,
  ]);
  const [identifier, email, environmentId, readAt] = [0, 1, 2, 3].map((index) =>
    sql.raw(`value ->> ${index}`),
  );
  const rows = await db.all<{ identifier: string }>(sql`
    SELECT ${identifier} AS identifier FROM json_each(${JSON.stringify(given)}) WHERE
      EXISTS (SELECT 1 FROM ${environment} e WHERE e.id = ${environmentId} AND e.org_id = ${orgId}
        AND (e.type = 'preview' OR e.last_deployed_at >= ${readAt}))
      OR EXISTS (SELECT 1 FROM ${customer} c WHERE c.org_id = ${orgId} AND c.identifier IN (${identifier}, ${email})
        AND c.updated_at >= ${readAt})
      OR EXISTS (SELECT 1 FROM ${stripeCustomer} s WHERE s.org_id = ${orgId} AND s.id = ${identifier} AND s.facts_version >= ${readAt})`);
  const changed = new Set(rows.map((row) => row.identifier));
  return near.filter((each) => changed.has(each.identifier));
}

/** Null: the meter has no limit any more. */
async function currentLimit(
  ctx: RequestContext,
  scope: Scope,
  { prepared, snapshot, workflowCode }: LoadedEnvironment,
  nearest: Nearest,
  known: CustomerFacts & { readonly identifier: string },
): Promise<Nearest | null> {
  const meter = prepared?.properties.find(
    ({ feature, property }) => feature.slug === nearest.feature && property.key === nearest.property,
  );
  if (!prepared || meter === undefined || workflowCode !== null || known.aliasOf) return nearest;
  const theirs = factsForIdentifier(activeFacts(known, snapshot.stripeIntegrationIds), known.identifier);
  const { resolution } = applyFacts(prepared, { isAuthenticated: true }, theirs, snapshot, ctx.now);
  const value = resolvedValue(resolution, meter);
  if (typeof value !== 'object' || value.state !== 'metered') return null;
  const isDrawn = resolution.balances?.has(meter.index) === true;
  return isDrawn
    ? readNearest(ctx, scope, nearest, known, meter.property.id)
    : { ...nearest, limit: value.meter.limit };
}

/** Of a meter with balances: what counts as used changes with them, and only the ledger knows it. */
async function readNearest(
  ctx: RequestContext,
  scope: Scope,
  nearest: Nearest,
  { identifier, ...facts }: CustomerFacts & { readonly identifier: string },
  propertyId: string,
): Promise<Nearest> {
  const { environmentId } = nearest;
  const customer = { environmentId, identifier, customer: identifier, facts };
  // Without a region that answers, the list shows what was read.
  const read = await inspectCustomer(ctx, scope, customer).catch(() => null);
  const { resolution = null, usage = null } = read ?? {};
  const meter = resolution?.prepared.propertyById.get(propertyId);
  const reading = usage?.readings.get(propertyId);
  if (resolution === null || meter === undefined || reading === undefined) return nearest;
  const value = resolvedValue(resolution, meter);
  if (typeof value !== 'object') return nearest;
  const answer = readOwnMeter(resolution, meter, value, reading, { now: ctx.now });
  return answer.state === 'metered' ? { ...nearest, ...takenOf(answer), readAt: ctx.now } : nearest;
}

/** With what is held, as events count it. */
const takenOf = (answer: MeteredAnswer) => ({ used: takenIn(answer), limit: answer.limit });
