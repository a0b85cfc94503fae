// After D1 was restored to an earlier instant, checks follow it again for every customer: ledgers forget the facts that are newer than
// the database, and no call is billed twice.
import { beforeAll, expect, test } from 'vitest';
import { check, propertyOf } from '#tests/support/access-checks';
import { newStaff, type SignedIn } from '#tests/support/accounts';
import { copyDatabase } from '#tests/support/database-copy';
import { provisioner } from '#tests/support/provisioning';
import { publishAll } from '#tests/support/tenants';

let staff: SignedIn;

beforeAll(async () => {
  staff = await newStaff();
});

/** What staff do. */
async function followRestored(): Promise<void> {
  const answer = await staff.fetch('/api/sudo/database-restored', { method: 'POST' });
  expect({ status: answer.status, body: await answer.json() }).toEqual({
    status: 200,
    body: { message: expect.stringMatching(/^\d+ environments? (is|are) being published$/) },
  });
}

/** The seats that checks give, by customer. */
async function seatsOf(secret: string, customers: readonly string[]): Promise<Record<string, unknown>> {
  const seats: Record<string, unknown> = {};
  for (const customer of customers) {
    const answer = await check(secret, { userIdentifier: customer });
    seats[customer] = propertyOf(answer, 'workspaces', 'seats');
  }
  return seats;
}

test('grants, overrides and links that were given, changed or removed since are as the database says', async () => {
  const own = await provisioner();
  const { secret, plusId, proId, seats, tenant, path } = own;
  const remove = (customer: string, what: string) => tenant.make('DELETE', path(customer, what));
  const plus = { planId: plusId };

  const removed = await own.grant('removed');
  const changed = await own.grant('changed', plus);
  await own.grant('kept', plus);
  await own.override('override-changed', seats.id, 7);
  const dropped = await own.override('override-removed', seats.id, 8);
  await own.manage('PUT', '/linked', { email: 'old@example.com' });
  await own.manage('PUT', '/linked-later', {});
  await own.grant('linked', plus);
  await own.grant('linked-later', plus);
  await publishAll(tenant);

  const before = {
    removed: 50,
    changed: 5,
    kept: 5,
    'override-changed': 7,
    'override-removed': 8,
    'old@example.com': 5,
    'new@example.com': 1,
    'late@example.com': 1,
    given: 1,
    'override-given': 1,
    untouched: 1,
  };
  const customers = Object.keys(before);
  await expect.poll(() => seatsOf(secret, customers)).toEqual(before);
  const copy = await copyDatabase();

  await remove('removed', `/grants/${removed.id}`);
  await remove('changed', `/grants/${changed.id}`);
  await own.grant('changed', { planId: proId });
  await own.grant('given');
  await own.override('override-changed', seats.id, 9);
  await remove('override-removed', `/overrides/${dropped.id}`);
  await own.override('override-given', seats.id, 10);
  await own.manage('PUT', '/linked', { email: 'new@example.com' });
  await own.manage('PUT', '/linked-later', { email: 'late@example.com' });
  await publishAll(tenant);
  await expect
    .poll(() => seatsOf(secret, customers))
    .toEqual({
      ...before,
      removed: 1,
      changed: 50,
      given: 50,
      'override-changed': 9,
      'override-removed': 1,
      'override-given': 10,
      'old@example.com': 1,
      'new@example.com': 5,
      'late@example.com': 5,
    });

  await copy.restore();
  await followRestored();
  await expect.poll(() => seatsOf(secret, customers)).toEqual(before);

  await own.grant('given', plus);
  await own.override('override-removed', seats.id, 11);
  await expect
    .poll(() => seatsOf(secret, customers))
    .toEqual({ ...before, given: 5, 'override-removed': 11 });
}, 180_000);
