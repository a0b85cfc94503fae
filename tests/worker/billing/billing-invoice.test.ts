// The amounts and the period of the billing page are those of the invoice, and the page works without Stripe.
import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import type { NextInvoice } from '#contracts/console/billing';
import { billingOf, recordCalls, seedUsage, subscribe } from '#tests/support/billing';
import { expectConsole } from '#tests/support/expect-console';
import { platformStripeAccount, type StripeAccount } from '#tests/support/stripe';
import { newTenant, type Tenant } from '#tests/support/tenants';
import { publishBillableUsage } from '#worker/domains/billing/publish-billable-usage';
import { syncSubscription } from '#worker/domains/billing/sync-subscription';
import { workContext } from '#worker/http/make-work-context';

let platform: StripeAccount;

beforeAll(async () => {
  platform = await platformStripeAccount();
});

const nextInvoiceOf = (tenant: Tenant) => tenant.make<NextInvoice>('GET', '/next-invoice');

it('the billing page sums the usage of the subscription’s period, and the next invoice has its amounts', async () => {
  const tenant = await newTenant();
  await seedUsage(tenant, 70_000);
  await recordCalls(tenant, 1);
  expect((await billingOf(tenant)).usage.invoiced).toBeNull();
  expect(await nextInvoiceOf(tenant)).toEqual({ invoice: null });
  const { subscriptionId } = await subscribe(tenant);
  const { items, customer } = await platform.stripe.subscriptions.retrieve(subscriptionId);
  const [item] = items.data;
  const period = {
    periodStartAt: (item?.current_period_start ?? 0) * 1000,
    periodEndAt: (item?.current_period_end ?? 0) * 1000,
  };
  // What was used before the subscription is no part of it.
  expect((await billingOf(tenant)).usage).toMatchObject({ total: 70_001, invoiced: { ...period, total: 0 } });
  expect(await nextInvoiceOf(tenant)).toEqual({ invoice: { totalMinor: 1800, currency: 'gbp' } });

  await seedUsage(tenant, 150_000);
  await publishBillableUsage(workContext(env, Date.now), tenant.orgId);
  await recordCalls(tenant, 7);
  await expect.poll(async () => (await billingOf(tenant)).usage.invoiced?.total).toBe(150_007);
  const { invoice } = await nextInvoiceOf(tenant);
  expect(invoice).toEqual({ totalMinor: 1900, currency: 'gbp' });

  await platform.changeSubscription(subscriptionId, 'end-period');
  const [renewal] = (await platform.stripe.invoices.list({ customer: String(customer) })).data;
  expect(renewal?.total).toBe(invoice?.totalMinor);
  await syncSubscription(workContext(env, Date.now), tenant.orgId, subscriptionId);
  // What is not counted yet is in the new period.
  expect((await billingOf(tenant)).usage.invoiced).toMatchObject({
    periodStartAt: period.periodEndAt,
    total: 7,
  });
});

it('a cancelled subscription’s last invoice has only its usage, and an ended one has none', async () => {
  const tenant = await newTenant();
  const { subscriptionId } = await subscribe(tenant);
  await platform.changeSubscription(subscriptionId, 'cancel-at-period-end');
  await syncSubscription(workContext(env, Date.now), tenant.orgId, subscriptionId);
  expect(await nextInvoiceOf(tenant)).toEqual({ invoice: { totalMinor: 0, currency: 'gbp' } });
  await platform.changeSubscription(subscriptionId, 'cancel');
  await syncSubscription(workContext(env, Date.now), tenant.orgId, subscriptionId);
  expect(await nextInvoiceOf(tenant)).toEqual({ invoice: null });
});

it('the next invoice is asked of Stripe once, until the subscription changes', async () => {
  const tenant = await newTenant();
  const { subscriptionId } = await subscribe(tenant);
  // Other tests share the account, but not this request.
  const count = async () => (await platform.requests()).counts['POST /v1/invoices/create_preview'] ?? 0;
  const before = await count();
  const previews = async () => (await count()) - before;
  for (let read = 0; read < 3; read++) await nextInvoiceOf(tenant);
  expect(await previews()).toBe(1);
  await platform.changeSubscription(subscriptionId, 'fail-payment');
  await syncSubscription(workContext(env, Date.now), tenant.orgId, subscriptionId);
  await nextInvoiceOf(tenant);
  expect(await previews()).toBe(2);
});

it('while Stripe is silent, only the next invoice’s amount is missing', async () => {
  const tenant = await newTenant();
  await subscribe(tenant);
  await platform.setFaults({ failNext: 1, onlyRequests: 'POST /v1/invoices/create_preview' });
  expectConsole('error', /billing request to Stripe failed/);
  expect((await tenant.call('GET', '/next-invoice')).status).toBe(503);
  await platform.clearFaults();
  expect(await billingOf(tenant)).toMatchObject({ plan: 'grow', usage: { invoiced: { total: 0 } } });
});
