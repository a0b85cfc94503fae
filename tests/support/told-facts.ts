// What ledgers know: the facts of customers that were pushed to them, or that they were given when they first met the customer.
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { CustomerFacts } from '#contracts/internal/customer-facts';
import type { Location } from '#contracts/public/locations';
import { shardOf } from '#engine/ledger/shard-of';
import { ledgerAt } from '#objects/stubs';

/** @returns by name; those whose ledgers do not know them are absent */
export async function toldFacts(
  environmentId: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, CustomerFacts>> {
  const row = await env.DB.prepare(
    `SELECT e.ledger_shards AS shards, o.data_locations AS locations FROM environment e
      JOIN organization o ON o.id = e.org_id WHERE e.id = ?`,
  )
    .bind(environmentId)
    .first<{ shards: number; locations: string }>();
  const told = new Map<string, CustomerFacts>();
  for (const location of JSON.parse(row?.locations ?? '[]') as Location[])
    for (const [shard, theirs] of Map.groupBy(names, (name) => shardOf(name, row?.shards ?? 1))) {
      const ledger = await ledgerAt(env, { environmentId, location, shard });
      const stored = await runInDurableObject(ledger as never, (_: unknown, { storage }) =>
        storage.sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'facts'").toArray().length === 0
          ? []
          : storage.sql
              .exec<{ customer: string; body: string }>('SELECT customer, body FROM facts')
              .toArray(),
      );
      for (const { customer, body } of stored)
        if (theirs.includes(customer)) told.set(customer, JSON.parse(body));
    }
  return told;
}
