// Balances that pay what was used above quota and balances when they were given.
import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { beforeAll, expect, it } from 'vitest';
import type { Balance } from '#contracts/public/balances';
import type { LedgerAnswer } from '#contracts/public/customer-ledger';
import type { BalancesAnswer, CustomerChangeAnswer } from '#contracts/public/customers';
import { check, propertyOf } from '#tests/support/access-checks';
import { update } from '#tests/support/counter-updates';
import { type Provisioner, provisioner } from '#tests/support/provisioning';
import { publishAll } from '#tests/support/tenants';
import { openDatabase } from '#worker/db/database';
import { customerBalance } from '#worker/db/schema/customers';
import { auditLog } from '#worker/db/schema/operations';
import { payOverage } from '#worker/domains/customers/balances/pay-overage';
import { workContext } from '#worker/http/make-work-context';

const FILES = { feature: 'workspaces', property: 'files' };
/** Of Pro, for life. */
const QUOTA = 100;
let own: Provisioner;

beforeAll(async () => {
  own = await provisioner();
});

const put = (customer: string, id: string, more: object) =>
  own.manage<CustomerChangeAnswer>('PUT', `/${customer}/balances/${id}`, {
    ...{ ...FILES, category: 'paid', reason: 'Invoice 7', ...more },
  });

/** The customer has used more than its plan gives. */
async function above(customer: string, by: number): Promise<void> {
  await own.manage('PUT', `/${customer}`, {});
  await own.manage('PUT', `/${customer}/grants/pro`, { reason: 'A pilot customer' });
  await publishAll(own.tenant);
  await update(own.secret, { userIdentifier: customer, ...FILES, by: QUOTA + by });
}

async function balanceOf(customer: string, id: string): Promise<Balance | undefined> {
  const { body } = await own.manage<BalancesAnswer>('GET', `/${customer}/balances?ended=1`);
  return body.balances.find((each) => each.id === id);
}

const files = async (customer: string) =>
  propertyOf(await check(own.secret, { userIdentifier: customer }), 'workspaces', 'files');

it('pays as far as it lasts, once, and the history and the ledger say so', async () => {
  await above('ada', 30);
  const { body } = await put('ada', 'inv-7', { amount: 20, paysOverage: true });
  expect(body.balance).toMatchObject({ paysOverage: true, used: 0 });
  await publishAll(own.tenant);
  expect(await balanceOf('ada', 'inv-7')).toMatchObject({ used: 20, remaining: 0, state: 'used-up' });
  expect(await files('ada')).toMatchObject({
    allowed: false,
    limit: 120,
    used: 130,
    remaining: 0,
    overage: 10,
  });
  await put('ada', 'inv-8', { amount: 25, paysOverage: true });
  await publishAll(own.tenant);
  expect(await files('ada')).toMatchObject({ allowed: true, limit: 145, used: 130, remaining: 15 });
  // The message comes again, also after its balance was not marked.
  const db = openDatabase(env.DB);
  const [row] = await db.select().from(customerBalance).where(eq(customerBalance.name, 'inv-8'));
  const { id: balanceId, orgId } = row!;
  await db.update(customerBalance).set({ overagePaidAt: null }).where(eq(customerBalance.id, balanceId));
  for (let times = 0; times < 2; times += 1)
    await payOverage(workContext(env, Date.now), {
      type: 'balance.given',
      outboxId: 'out_7',
      orgId,
      balanceId,
    });
  expect(await files('ada')).toMatchObject({ used: 130, remaining: 15 });
  const rows = await db.select().from(auditLog).where(eq(auditLog.orgId, orgId));
  const paid = rows.filter(({ action }) => action === 'customer.balance-paid-overage');
  expect(paid.map(({ detail }) => [detail?.name, detail?.applied])).toEqual([
    ['inv-7', 20],
    ['inv-8', 10],
  ]);
  const path = '/ada/ledger?feature=workspaces&property=files';
  const ledger = await own.manage<LedgerAnswer>('GET', path);
  expect(ledger.body.lines.filter(({ kind }) => kind === 'paid-overage')).toMatchObject([
    { amount: 10, balance: 'inv-8' },
    { amount: 20, balance: 'inv-7' },
  ]);
});

it('pays nothing unless it says so, or without overage', async () => {
  await above('bea', 30);
  await put('bea', 'inv-1', { amount: 20 });
  await publishAll(own.tenant);
  expect(await balanceOf('bea', 'inv-1')).toMatchObject({ paysOverage: false, used: 0, remaining: 20 });
  await above('cy', 0);
  await put('cy', 'inv-1', { amount: 20, paysOverage: true });
  await publishAll(own.tenant);
  expect(await balanceOf('cy', 'inv-1')).toMatchObject({ paysOverage: true, used: 0, remaining: 20 });
});

it('is refused for what cannot be used at once, and never changes', async () => {
  const refused = async (more: object, id = 'inv-1') =>
    (await put('eve', id, { amount: 20, ...more })) as unknown as {
      status: number;
      body: { message: string };
    };
  await own.manage('PUT', '/eve', {});
  const later = { paysOverage: true, startsAt: Date.now() + 86_400_000 };
  for (const more of [later, { paysOverage: true, frozen: true }])
    expect(await refused(more)).toMatchObject({
      status: 400,
      body: {
        issues: [{ path: 'paysOverage', message: 'Only a balance that can be used at once pays overage' }],
      },
    });
  expect(await refused({ paysOverage: true })).toMatchObject({ status: 200 });
  expect(await refused({ paysOverage: false })).toMatchObject({ status: 409 });
});
