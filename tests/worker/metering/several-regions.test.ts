// What a check costs in several regions: calls of ledgers, by the Worker and by other ledgers, and ledgers that are constructed for it.
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { LOCATIONS } from '#contracts/public/locations';
import { shardOf } from '#engine/ledger/shard-of';
import { Ledger } from '#objects/ledger/ledger-object';
import { ledgerAt } from '#objects/stubs';
import { check } from '#tests/support/access-checks';
import { eventually } from '#tests/support/eventually';
import { evict } from '#tests/support/evict';
import { type PayingTenant, payingTenant } from '#tests/support/paying-tenants';
import { stopClock } from '#tests/support/silence';
import { subscribed } from '#tests/support/stripe-customers';
import { enableLocations, outboxMessages } from '#tests/support/tenants';

const METHODS = ['answerText', 'readText', 'readTexts', 'copy', 'receive', 'mergeAliasUsage'] as const;
const PARIS = { 'x-dev-cf': JSON.stringify({ latitude: '48.86', longitude: '2.35', continent: 'EU' }) };
const SHARDS = 16;
const FREE = { plans: [], warnings: [], calls: 1, objects: 1 };

let own: PayingTenant;
let serial = 0;

beforeAll(async () => {
  own = await payingTenant();
  await enableLocations(own.tenant, ...LOCATIONS);
  await eventually(async () => expect(await outboxMessages(own.tenant.orgId)).toEqual([]));
});

/** Somebody without subscriptions and grants, in the ledgers of this shard. */
function someoneIn(shard: number): string {
  for (;;) {
    serial += 1;
    const name = `stranger-${serial}`;
    if (shardOf(name, SHARDS) === shard) return name;
  }
}

async function evictAll(...identifiers: readonly string[]): Promise<void> {
  for (const shard of new Set(identifiers.map((identifier) => shardOf(identifier, SHARDS)))) {
    for (const location of LOCATIONS) {
      await evict(await ledgerAt(env, { environmentId: own.previewId, location, shard }));
    }
  }
}

/** @param isCold the isolate does not know what the ledgers know of customers */
async function costOf(userIdentifier: string, isCold = true) {
  if (isCold) vi.setSystemTime(Date.now() + 31_000);
  const spies = METHODS.map((method) => vi.spyOn(Ledger.prototype, method));
  const { customer, warnings } = await check(own.secret, { userIdentifier }, { headers: PARIS });
  const calls = spies.flatMap(({ mock }) => mock.contexts as unknown[]);
  for (const spy of spies) spy.mockRestore();
  return { plans: customer.plans, warnings, calls: calls.length, objects: new Set(calls).size };
}

// No call goes to another location because the machine is slow.
beforeEach(stopClock);
afterEach(() => void vi.useRealTimers());

it('with nine locations, a check calls one ledger, in its own region, after the first one of that ledger, whatever slept since', async () => {
  const payer = await own.someone([subscribed('prod_pro')]);
  const shards = [payer.id, payer.email].map((name) => shardOf(name, SHARDS));
  // The id and the email may share one.
  const known = [...new Set(shards)].map(someoneIn);
  for (const free of known) {
    expect(await costOf(free), 'the first check').toMatchObject({ objects: 9 });
    await eventually(async () => expect((await costOf(free)).warnings).toEqual([]));
  }
  const others = shards.map(someoneIn);
  for (const when of ['for the first time', 'again', 'after an eviction']) {
    if (when === 'after an eviction') await evictAll(payer.id, payer.email);
    for (const free of [...known, ...others]) {
      // The first time, the facts are loaded in between.
      const isKnown = when !== 'for the first time' || known.includes(free);
      expect(await costOf(free), `free, ${when}`).toEqual({ ...FREE, calls: isKnown ? 1 : 2 });
    }
    // By email, an isolate that does not know the customer asks the ledger of the email first.
    expect(await costOf(payer.email), `aliased, ${when}`).toMatchObject({
      plans: ['pro'],
      objects: new Set(shards).size,
    });
    for (const name of [payer.id, payer.email]) {
      await costOf(name);
      if (when === 'after an eviction') await evictAll(payer.id, payer.email);
      const cost = await costOf(name, false);
      expect(cost, `${name}, ${when}`).toEqual({ ...FREE, plans: ['pro'] });
    }
  }
});
