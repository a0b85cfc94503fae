// Seats, an add-on, an upgrade in the middle of a period, and a trial that ends: sold in the console and at Stripe's pages, and seen in
// checks, their explanations, usage and the customer's page.

import type { Page } from '@playwright/test';
import type { Plan } from '#contracts/console/plans';
import type { AccessCheckAnswer } from '#contracts/public/access';
import {
  createFeature,
  createKey,
  createPlan,
  previewOf,
  type Workspace,
} from '../../dev/workspace/build-workspace.ts';
import { callPublicApi } from './support/call-public-api.ts';
import { chooseServer } from './support/chosen-server.ts';
import { connectStripe } from './support/connected-stripe.ts';
import { ownOrganisation } from './support/own-organisation.ts';
import { newStripeAccount, type StripeAccount } from './support/stripe-account.ts';
import { expect, test } from './support/test.ts';

const organisation = ownOrganisation('Selma Seller', 'Seat Works');
let account: StripeAccount;
let key: string;
let plans: { readonly team: Plan; readonly seats: Plan };

const metered = (limit: number) =>
  ({
    state: 'metered',
    meter: { limit, periodType: 'rolling', periodCount: 1, periodLength: 'month', uniqueResourceIds: false },
  }) as const;

/** Team has 5 seats and 100 exports; the plan that becomes an add-on has 1 seat. Seats add up. */
async function setUp(page: Page): Promise<void> {
  account = await newStripeAccount('Seat Works');
  for (const name of ['Team', 'Business', 'Extra seats']) await account.newProduct(name);
  await connectStripe(page, organisation, account);
  const workspace: Workspace = organisation.workspace(page);
  const feature = await createFeature(workspace, {
    name: 'Workspaces',
    slug: 'workspaces',
    properties: [
      { name: 'Seats', propertyKey: 'seats', type: 'number', value: 0, conflictResolution: 'sum' },
      { name: 'Exports', propertyKey: 'exports', type: 'meterable', value: { state: 'off' } },
    ],
  });
  const values = (own: Record<string, number | ReturnType<typeof metered>>) => ({ workspaces: own });
  const team = { name: 'Team', slug: 'team', values: values({ seats: 5, exports: metered(100) }) };
  const seats = { name: 'Extra seats', slug: 'extra-seats', values: values({ seats: 1 }) };
  const business = {
    name: 'Business',
    slug: 'business',
    values: values({ seats: 50, exports: metered(500) }),
  };
  plans = {
    team: await createPlan(workspace, team, [feature]),
    seats: await createPlan(workspace, seats, [feature]),
  };
  const { planId } = await createPlan(workspace, business, [feature]);
  await linkProduct(page, planId, 'Business', false);
  key = await createKey(workspace, await previewOf(workspace));
}

async function linkProduct(page: Page, planId: string, product: string, isTimesQuantity: boolean) {
  await page.goto(`/o/${organisation.id}/plans/${planId}/manage`);
  await page.getByRole('button', { name: 'Add Stripe Products' }).click();
  const dialog = page.getByRole('dialog', { name: 'Connect Stripe Products (Optional)' });
  await dialog.getByRole('checkbox', { name: new RegExp(`^${product}`) }).check();
  if (isTimesQuantity) await dialog.getByRole('switch', { name: `Times quantity of ${product}` }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Plan Products Updated')).toBeVisible();
}

const call = async <Answer>(page: Page, path: string, data: object) =>
  (await callPublicApi<Answer>(page, key, data, { path })).answer;

const ask = (page: Page, userIdentifier: string) =>
  call<AccessCheckAnswer>(page, 'access-checks?explain=1', { userIdentifier });

/** The customer's plans and seats. */
async function sold(page: Page, who: string): Promise<unknown> {
  const { customer, features } = await ask(page, who);
  return [customer.plans.toSorted().join(), features.workspaces?.properties.seats];
}

/** A new customer at Stripe, and the form of the button there. */
async function openAtStripe(page: Page, who: string) {
  const { id } = await account.test.customers.create({ email: who });
  const { stripeUrl } = await chooseServer();
  const stripe = await page.context().newPage();
  await stripe.goto(`${stripeUrl}/?account=${account.keys.accountId}&mode=test&customer=${id}`);
  const submit = async (button: string, product: string, fields: Readonly<Record<string, string>> = {}) => {
    const form = stripe
      .locator('form')
      .filter({ has: stripe.getByRole('button', { name: button, exact: true }) });
    const option = form.first().getByRole('option', { name: new RegExp(`^${product} `) });
    await form
      .first()
      .getByLabel('Product')
      .selectOption(await option.getAttribute('value'));
    for (const [label, value] of Object.entries(fields)) await form.first().getByLabel(label).fill(value);
    await form.first().getByRole('button', { name: button, exact: true }).click();
  };
  return { id, stripe, submit };
}

test('seats by quantity, an add-on, and an upgrade in the middle of a period', async ({ page }) => {
  await setUp(page);
  await linkProduct(page, plans.team.planId, 'Team', false);
  await linkProduct(page, plans.seats.planId, 'Extra seats', true);
  await page.getByRole('switch', { name: 'Add-on' }).check();
  await page.getByRole('button', { name: 'Save changes', exact: true }).click();
  await expect(page.getByText('Plan updated')).toBeVisible();

  const who = 'ada@seats.example';
  const { id, stripe, submit } = await openAtStripe(page, who);
  await test.step('the add-on alone gives nothing, and counts times its quantity beside a plan', async () => {
    await submit('Subscribe', 'Extra seats', { Quantity: '7' });
    await expect(stripe.getByText('Extra seats × 7')).toBeVisible();
    await expect.poll(async () => (await ask(page, who)).customer.isCustomer).toBe(true);
    expect(await sold(page, who)).toEqual(['', 0]);
    await submit('Add product', 'Team');
    await expect.poll(() => sold(page, who)).toEqual(['extra-seats,team', 12]);
    const { explanation } = await ask(page, who);
    const seats = explanation?.find(({ property }) => property === 'seats');
    expect(seats?.reason).toMatch(/^Team sets 5, Extra seats sets 7; they add up to 12\..* times 7\.$/);
  });
  await test.step('an upgrade keeps what was used, and a change of the quantity shows on the page', async () => {
    const update = { userIdentifier: who, feature: 'workspaces', property: 'exports', by: 40 };
    expect(await call(page, 'counter-updates', update)).toMatchObject({ accepted: true });
    await stripe.getByRole('button', { name: 'Change plan' }).first().waitFor();
    await submit('Change plan', 'Extra seats', { Quantity: '2' });
    await expect.poll(() => sold(page, who)).toEqual(['extra-seats,team', 7]);
    const [subscription] = (await account.test.subscriptions.list({ customer: id })).data;
    const team = subscription?.items.data.find(({ quantity }) => quantity === 1);
    const business = await stripe
      .getByRole('option', { name: /^Business / })
      .first()
      .getAttribute('value');
    await account.test.subscriptionItems.update(team?.id ?? '', { price: business ?? '' });
    await expect.poll(() => sold(page, who)).toEqual(['business,extra-seats', 52]);
    expect((await ask(page, who)).features.workspaces?.properties.exports).toMatchObject({
      limit: 500,
      used: 40,
    });
    await page.goto(`/o/${organisation.id}/customers/${id}`);
    const shown = page.getByRole('list', { name: 'Plans of the customer' });
    await expect(shown).toContainText(/Business.*subscription to Business, active/);
    await expect(shown).toContainText(/subscription to Extra seats × 2, active/);
  });
});

test('a trial gives its plan until it ends', async ({ page }) => {
  await setUp(page);
  await linkProduct(page, plans.team.planId, 'Team', true);
  const who = 'tom@seats.example';
  const { id, stripe, submit } = await openAtStripe(page, who);
  await submit('Subscribe', 'Team', { Quantity: '3', 'Days of trial': '14' });
  await expect.poll(() => sold(page, who)).toEqual(['team', 15]);
  const body = { userIdentifier: who, include: ['subscriptions'] };
  expect(await call(page, 'access-checks', body)).toMatchObject({
    customer: { subscriptions: [{ status: 'trialing', trialEndAt: expect.any(Number) }] },
  });
  await page.goto(`/o/${organisation.id}/customers/${id}`);
  await expect(page.getByRole('list', { name: 'Stripe customers' })).toContainText('Trial');
  await stripe.getByRole('button', { name: 'Cancel at period end' }).click();
  await stripe.getByRole('button', { name: 'End the period now' }).click();
  await expect.poll(() => sold(page, who)).toEqual(['', 0]);
});
