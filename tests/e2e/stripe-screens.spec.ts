// The screens of Stripe: accessible in both themes, fitting at three widths, and honest when they cannot be loaded.
import type { Page } from '@playwright/test';
import type { Plan } from '#contracts/console/plans';
import { connectStripe } from './support/connected-stripe.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { expectFitting } from './support/expect-fitting.ts';
import { ownOrganisation } from './support/own-organisation.ts';
import { newStripeAccount, type StripeAccount } from './support/stripe-account.ts';
import { expect, test } from './support/test.ts';
import { visitPage } from './support/visit-page.ts';

const organisation = ownOrganisation('Sven Screens', 'Screen Works');
const { api } = organisation;

/** Accessible, and fitting at three widths. */
async function look(page: Page, name: string): Promise<void> {
  await expectAccessible(page, name);
  for (const width of [390, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await expectFitting(page, `${name} at ${width}`);
  }
}

const newLongAccount = () =>
  newStripeAccount('An account whose name goes on for as long as a name may go on');
const newLongProduct = (account: StripeAccount) =>
  account.newProduct('A product with quite a long name, as they are');

test('the screens before Stripe is connected are accessible and fit', async ({
  page,
  expectBrowserError,
}) => {
  expectBrowserError(/404/);
  await page.goto(`/o/${organisation.id}/integrations`);
  await expect(page.getByText('No payment provider connected')).toBeVisible();
  await look(page, 'no integrations');
  await page.getByRole('link', { name: 'Connect Stripe' }).click();
  await page.getByText('Which key to use, and its permissions').click();
  await look(page, 'the secret key');

  const account = await newLongAccount();
  const unfinished = await connectStripe(page, organisation, account, { isWhole: false, mode: 'live' });
  await page.goto(`/o/${organisation.id}/integrations/stripe/${unfinished.id}`);
  await page.getByText('Manual', { exact: true }).click();
  await look(page, 'the webhook');
  await page.getByRole('link', { name: 'Synced customers' }).click();
  await expect(page.getByRole('heading', { name: 'No customers yet' })).toBeVisible();
  await look(page, 'no customers');
});

test('the screens of a plan with products are accessible and fit', async ({ page }) => {
  const account = await newLongAccount();
  const { productId } = await newLongProduct(account);
  const integration = await connectStripe(page, organisation, account);
  const plan = await api<Plan>(page, 'POST', '/plans', { name: 'Scale', slug: 'scale' });
  await page.goto(`/o/${organisation.id}/plans/${plan.planId}/manage`);
  await expect(page.getByText('No Stripe Products Linked')).toBeVisible();
  await page.getByRole('button', { name: 'Add Stripe Products' }).click();
  await page.getByRole('dialog').getByRole('checkbox').first().check();
  await look(page, 'the dialog of products');
  await api(page, 'PUT', `/plans/${plan.planId}/products`, {
    addProducts: [{ integrationId: integration.id, productId, version: 1 }],
  });
  await page.goto(`/o/${organisation.id}/plans/${plan.planId}/manage`);
  await expect(page.getByRole('list', { name: 'Linked Stripe products' })).toContainText('A product');
  await look(page, 'the plan');
});

test('the screens of an integration are accessible and fit', async ({ page, expectBrowserError }) => {
  expectBrowserError(/404/);
  const account = await newLongAccount();
  const { productId, priceId } = await newLongProduct(account);
  await account.seed(60, [priceId]);
  await connectStripe(page, organisation, account, { isWhole: false, mode: 'live' });
  const integration = await connectStripe(page, organisation, account);
  const plan = await api<Plan>(page, 'POST', '/plans', { name: 'Scale', slug: 'scale' });
  await api(page, 'PUT', `/plans/${plan.planId}/products`, {
    addProducts: [{ integrationId: integration.id, productId, version: 1 }],
  });
  const own = `/o/${organisation.id}/integrations/stripe/${integration.id}`;
  await page.goto(`/o/${organisation.id}/integrations`);
  await expect(page.getByRole('list', { name: 'Stripe integrations' }).getByRole('link')).toHaveCount(2);
  await look(page, 'the cards');
  for (const [tab, text] of [
    ['connect', 'is connected'],
    ['manage', 'Created in Stripe'],
    ['customers', '1–50 of 60'],
    ['products', '1–1 of 1'],
  ] as const) {
    await visitPage(page, `${own}/${tab}`);
    await expect(page.getByText(text).first()).toBeVisible();
    await look(page, tab);
  }
  await visitPage(page, `${own}/manage`);
  await page.getByRole('button', { name: /^Delete / }).click();
  await expect(page.getByText('This plan loses products')).toBeVisible();
  await look(page, 'the question before deleting');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await visitPage(page, `/o/${organisation.id}/integrations/stripe/stripe_none`);
  await expect(page.getByRole('heading', { name: 'Integration Deleted' })).toBeVisible();
  await look(page, 'a deleted integration');
});
