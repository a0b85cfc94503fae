// What a period left, in the answers of checks and updates.
import { beforeAll, expect, it } from 'vitest';
import { clockDifference } from '#objects/ledger/bound-time';
import { check, propertyOf } from '#tests/support/access-checks';
import { update } from '#tests/support/counter-updates';
import { type CustomerTenant, customerTenant } from '#tests/support/customers';
import { ledgerOf } from '#tests/support/paying-tenants';
import { publishAll } from '#tests/support/tenants';

// The month before is of an earlier call.
clockDifference.ms = Number.POSITIVE_INFINITY;

const FILES = { feature: 'workspaces', property: 'files' };
const rollover = { max: 30, lasts: { months: 1 } };
const value = {
  state: 'metered',
  meter: {
    ...{ limit: 100, periodType: 'rolling', periodCount: 1, periodLength: 'month', uniqueResourceIds: false },
    rollover,
  },
} as const;
let own: CustomerTenant;

beforeAll(async () => {
  own = await customerTenant();
});

/** What the customer used in the month before. */
async function usedLastMonth(customer: string, by: number): Promise<number> {
  const month = new Date();
  const start = Date.UTC(month.getUTCFullYear(), month.getUTCMonth() - 1, 1);
  const location = 'weur' as const;
  // Of before the organisation's first regions: the ledger knows later ones.
  const site = { environmentId: own.previewId, location, shard: 0, generation: 0, locations: [location] };
  const updates = [{ propertyId: own.files.id, by, enforce: false, value }];
  const call = { site, customer, now: start + 86_400_000, updates, reads: [] };
  const answer = JSON.parse(await (await ledgerOf(own, customer)).answerText(JSON.stringify(call)));
  expect(answer).toMatchObject({ kind: 'answered' });
  return start;
}

const count = async (customer: string, by: number, more: object = {}) =>
  (await update(own.secret, { userIdentifier: customer, ...FILES, by, enforce: true, ...more })).body;

const files = async (customer: string, more: object = {}) =>
  propertyOf(await check(own.secret, { userIdentifier: customer, ...more }), 'workspaces', 'files');

it('what a month left is more to use in the next one: limit, used and remaining have it, and include lists it', async () => {
  await own.override('ada', own.files.id, value);
  await publishAll(own.tenant);
  await files('ada');
  const from = await usedLastMonth('ada', 80);
  const rolled = `roll:${own.files.id}:${from}`;
  expect(await files('ada')).toMatchObject({ limit: 120, used: 0, remaining: 120 });
  expect(await count('ada', 25)).toMatchObject({
    ...{ accepted: true, applied: 25, draws: [{ from: rolled, amount: 20 }] },
    meter: { limit: 120, used: 25, remaining: 95 },
  });
  const listed = (await files('ada', { include: ['balances'] })) as { resetsAt: number };
  const endsAt = listed.resetsAt;
  expect(listed).toMatchObject({
    balances: [
      { kind: 'balance', id: rolled, source: 'rollover', rolledFrom: from, amount: 20, used: 20, endsAt },
      { kind: 'quota', amount: 100, used: 5, remaining: 95, endsAt },
    ],
  });
  expect(await count('ada', 96)).toMatchObject({ accepted: false, reason: 'limit-reached' });
  expect(await count('ada', 95)).toMatchObject({ accepted: true, meter: { allowed: false, remaining: 0 } });
});

it('is said in the explanation', async () => {
  await own.override('bob', own.files.id, value);
  await publishAll(own.tenant);
  await files('bob');
  await usedLastMonth('bob', 10);
  const answer = await check(own.secret, { userIdentifier: 'bob' }, { query: '?explain=1' });
  const said = answer.explanation?.find(({ property }) => property === 'files');
  expect(said?.reason).toMatch(/0 of 30 \(rolled over from 1 \w+ \d+\) are used, 30 left until/);
});
