// Customers that an application creates and changes by API, without Stripe.
import { beforeAll, describe, expect, it } from 'vitest';
import type { CustomerAnswer } from '#contracts/public/customers';
import { check, propertyOf } from '#tests/support/access-checks';
import { eventually } from '#tests/support/eventually';
import { type Provisioner, provisioner } from '#tests/support/provisioning';
import { publishAll } from '#tests/support/tenants';

let own: Provisioner;
beforeAll(async () => {
  own = await provisioner();
  await own.grant('the-first@tests.example');
  await publishAll(own.tenant);
  await eventually(async () => expect(await seatsOf('the-first@tests.example')).toBe(50));
});

let serial = 0;
function someone(): string {
  serial += 1;
  return `acme-${serial}`;
}

async function seatsOf(userIdentifier: string): Promise<unknown> {
  return propertyOf(await check(own.secret, { userIdentifier }), 'workspaces', 'seats');
}

const REASON = { reason: 'Invoice 2026-118' };
const read = async (customer: string) => (await own.manage<CustomerAnswer>('GET', `/${customer}`)).body;

describe('a customer created by API', () => {
  it('gets a plan with an end and an override, which the next check sees, and loses them', async () => {
    const who = someone();
    const created = await own.manage('PUT', `/${who}`, { name: 'Acme Ltd', email: `${who}@Tests.Example` });
    expect([created.status, created.body]).toEqual([
      200,
      { status: 'success', requestId: expect.any(String), customer: who, changed: true, replayed: false },
    ]);
    const until = Date.now() + 3_600_000;
    expect((await own.manage('PUT', `/${who}/grants/pro`, { ...REASON, until })).body.changed).toBe(true);
    expect(await seatsOf(who)).toBe(50);
    expect(await seatsOf(`${who}@tests.example`)).toBe(50);
    await own.manage('PUT', `/${who}/overrides/workspaces/seats`, { ...REASON, value: 7 });
    expect(await seatsOf(who)).toBe(7);
    expect(await read(`${who}@tests.example`)).toMatchObject({
      customer: { id: who, name: 'Acme Ltd', email: `${who}@tests.example`, createdAt: expect.any(Number) },
      grants: [{ plan: 'pro', until, ...REASON }],
      overrides: [{ feature: 'workspaces', property: 'seats', value: 7, until: null }],
      subscriptions: [],
      access: { customer: { plans: ['pro'] }, features: { workspaces: { properties: { seats: 7 } } } },
    });
    expect((await own.manage('DELETE', `/${who}/overrides/workspaces/seats`)).body.changed).toBe(true);
    expect((await own.manage('DELETE', `/${who}/grants/pro`)).body.changed).toBe(true);
    expect(await seatsOf(`${who}@tests.example`)).toBe(1);
    expect((await own.manage('DELETE', `/${who}/grants/pro`)).body.changed).toBe(false);
    expect(await read(who)).toMatchObject({ grants: [], overrides: [] });
  });

  it('whose id is an email is found by its user id as well, with what was given under it', async () => {
    const id = `${someone()}@tests.example`;
    const userId = `user-of-${id.replace('@', '-at-')}`;
    await own.manage('PUT', `/${id}`, { userId });
    await own.manage('PUT', `/${id}/grants/pro`, REASON);
    const seats = () => Promise.all([id, userId].map(seatsOf));
    expect(await seats()).toEqual([50, 50]);
    // From the ledger this time, which keeps what the database said.
    await publishAll(own.tenant);
    expect(await seats()).toEqual([50, 50]);
    await own.override(userId, own.seats.id, 9);
    await eventually(async () => expect(await seats()).toEqual([9, 9]));
    expect((await read(userId)).customer).toMatchObject({ id, userId });
  });
});
