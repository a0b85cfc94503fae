/**
 * Tells a customer's ledgers what now holds, in every environment concerned and every data location that is enabled or not
 * closed yet: it may be turned on again. A ledger that does not know the customer keeps nothing. What is told is read here,
 * so messages may come twice or out of order.
 */
import { and, eq, isNull } from 'drizzle-orm';
import type { Location } from '#contracts/locations';
import { shardOf } from '#engine/ledger/shard-of';
import { ledgerAt } from '#objects/stubs';
import { type Db, openDatabase } from '#worker/db/database';
import { environment } from '#worker/db/schema/environments';
import { outbox } from '#worker/db/schema/operations';
import { organization } from '#worker/db/schema/organisations';
import type { Env } from '#worker/env';
import type { CustomerChanged, LocationClosed } from '#worker/queue/messages';
import { outboxDone } from '#worker/queue/outbox';
import { loadCustomerFacts } from './load-customer-facts.ts';

/** @throws AggregateError where a ledger could not be told: the queue tries again, and telling twice does no harm */
export async function tellCustomerFacts(env: Env, message: CustomerChanged): Promise<void> {
  const db = openDatabase(env.DB);
  const [environments, closing] = await Promise.all([
    readEnvironments(db, message),
    readClosing(db, message.orgId),
  ]);
  const outcomes = await Promise.allSettled(
    environments.map(({ locations, ...each }) => {
      const closed = closing.filter(({ environmentId }) => environmentId === each.id);
      const told = new Set([...locations, ...closed.map(({ location }) => location)]);
      return tellOne(env, db, message, { ...each, locations: [...told] });
    }),
  );
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  if (failures.length > 0) {
    throw new AggregateError(failures, `${failures.length} environments' ledgers could not be told`);
  }
  await outboxDone(db, message.outboxId);
}

interface ToldEnvironment {
  readonly id: string;
  readonly ledgerShards: number;
  readonly locations: readonly Location[];
}

function readEnvironments(db: Db, { orgId, environmentId }: CustomerChanged): Promise<ToldEnvironment[]> {
  return db
    .select({
      id: environment.id,
      ledgerShards: environment.ledgerShards,
      locations: organization.dataLocations,
    })
    .from(environment)
    .innerJoin(organization, eq(organization.id, environment.orgId))
    .where(
      and(
        eq(environment.orgId, orgId),
        isNull(environment.deletedAt),
        environmentId === null ? undefined : eq(environment.id, environmentId),
      ),
    );
}

/** Data locations that were turned off and still have something. */
async function readClosing(db: Db, orgId: string): Promise<LocationClosed[]> {
  const rows = await db
    .select({ payload: outbox.payload })
    .from(outbox)
    .where(and(eq(outbox.orgId, orgId), eq(outbox.type, 'location.closed')));
  return rows.map(({ payload }) => payload as LocationClosed);
}

async function tellOne(
  env: Env,
  db: Db,
  { orgId, customer }: CustomerChanged,
  { id, ledgerShards, locations }: ToldEnvironment,
): Promise<void> {
  const facts = await loadCustomerFacts(db, { orgId }, id, customer);
  const shard = shardOf(customer, ledgerShards);
  await Promise.all(
    locations.map(async (location) => {
      const ledger = await ledgerAt(env, { environmentId: id, location, shard });
      await ledger.tellFacts(customer, facts);
    }),
  );
}
