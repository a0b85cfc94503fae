// How far usage may exceed a limit, in the answers of checks, updates and holds.
import { beforeAll, expect, it } from 'vitest';
import { check, propertyOf } from '#tests/support/access-checks';
import { putBalances } from '#tests/support/balances';
import { update } from '#tests/support/counter-updates';
import { type CustomerTenant, customerTenant } from '#tests/support/customers';
import { publishAll } from '#tests/support/tenants';

const FILES = { feature: 'workspaces', property: 'files' };
const metered = (limit: number, overage?: unknown) => ({
  state: 'metered',
  meter: { limit, periodType: 'lifetime', uniqueResourceIds: false, ...(overage ? { overage } : {}) },
});
let own: CustomerTenant;

beforeAll(async () => {
  own = await customerTenant();
});

const count = async (customer: string, by: number, more: object = {}) =>
  (await update(own.secret, { userIdentifier: customer, ...FILES, by, ...more })).body;
const files = async (customer: string) =>
  propertyOf(await check(own.secret, { userIdentifier: customer }), 'workspaces', 'files');
const explained = async (customer: string) => {
  const answer = await check(own.secret, { userIdentifier: customer }, { query: '?explain=1' });
  return answer.explanation?.find(({ property }) => property === 'files')?.reason;
};

async function allowed(customer: string, limit: number, overage?: unknown): Promise<void> {
  await own.override(customer, own.files.id, metered(limit, overage) as never);
  await publishAll(own.tenant);
}

it('up to an amount: checks, enforced updates and holds are allowed until then, and no further', async () => {
  await allowed('ada', 100, { upTo: 50 });
  expect(await count('ada', 120, { enforce: true })).toMatchObject({
    ...{ accepted: true, allowed: true, applied: 120 },
    meter: { allowed: true, limit: 100, used: 120, remaining: 0, overage: 20, overageLimit: 50 },
  });
  expect(await files('ada')).toMatchObject({ allowed: true, remaining: 0, overage: 20, overageLimit: 50 });
  expect(await count('ada', 31, { enforce: true })).toMatchObject({
    accepted: false,
    reason: 'limit-reached',
  });
  expect(await count('ada', 30, { enforce: true })).toMatchObject({
    ...{ accepted: true, allowed: true, meter: { allowed: false, remaining: 0, overage: 50 } },
  });
  const last = await check(own.secret, { userIdentifier: 'ada' });
  expect(last.features?.workspaces).toMatchObject({ properties: { files: { allowed: false } } });
  // What is reported has been used already.
  expect(await count('ada', 5)).toMatchObject({
    ...{ accepted: true, allowed: false, reason: 'limit-reached', meter: { used: 155, overage: 55 } },
  });
  expect(await explained('ada')).toMatch(/Overage is allowed up to 50: 55 so far\.$/);
});

it('any amount is allowed where the plan says so', async () => {
  await allowed('bob', 10, 'allow');
  expect(await count('bob', 1_000, { enforce: true })).toMatchObject({
    ...{ accepted: true, allowed: true },
    meter: { allowed: true, used: 1_000, remaining: 0, overage: 990, overageLimit: null },
  });
  expect(await explained('bob')).toMatch(/Overage is allowed: 990 so far\.$/);
});

it('none, or nothing said: enforced updates stop at the limit, and answers say nothing of overage', async () => {
  await allowed('eve', 10, 'none');
  expect(await count('eve', 11, { enforce: true })).toMatchObject({ accepted: false });
  expect(await count('eve', 11)).toMatchObject({ accepted: true, allowed: false });
  const answer = await files('eve');
  expect(answer).not.toHaveProperty('overage');
  expect(answer).not.toHaveProperty('overageLimit');
});

it('balances are used before overage begins', async () => {
  await allowed('joe', 10, { upTo: 5 });
  await putBalances(own, 'joe', { id: 'bal_1', amount: 20 });
  expect(await count('joe', 33, { enforce: true })).toMatchObject({
    ...{ accepted: true, draws: [{ from: 'bal_1', amount: 20 }] },
    meter: { allowed: true, limit: 30, used: 33, remaining: 0, overage: 3, overageLimit: 5 },
  });
  expect(await count('joe', 3, { enforce: true })).toMatchObject({ accepted: false });
});
