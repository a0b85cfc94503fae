/**
 * Tells a customer's ledgers what now holds, in every environment concerned and every enabled data location. A ledger that
 * does not know the customer keeps nothing. What is told is read here, so messages may come twice or out of order.
 */
import { and, eq, isNull } from 'drizzle-orm';
import type { Location } from '#contracts/locations';
import { shardOf } from '#engine/ledger/shard-of';
import { ledgerAt } from '#objects/stubs';
import { type Db, openDatabase } from '#worker/db/database';
import { environment } from '#worker/db/schema/environments';
import { organization } from '#worker/db/schema/organisations';
import type { Env } from '#worker/env';
import type { CustomerChanged } from '#worker/queue/messages';
import { outboxDone } from '#worker/queue/outbox';
import { loadCustomerFacts } from './load-customer-facts.ts';

/** @throws AggregateError where a ledger could not be told: the queue tries again, and telling twice does no harm */
export async function tellCustomerFacts(env: Env, message: CustomerChanged): Promise<void> {
  const db = openDatabase(env.DB);
  const environments = await readEnvironments(db, message);
  const outcomes = await Promise.allSettled(environments.map((each) => tellOne(env, db, message, each)));
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
