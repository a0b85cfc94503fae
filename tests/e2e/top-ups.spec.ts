// What one-time prices of a Stripe account give: linked, changed and unlinked on the integration's page.
import type { Feature } from '#contracts/console/features';
import { connectStripe } from './support/connected-stripe.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { expectFitting } from './support/expect-fitting.ts';
import { ownOrganisation } from './support/own-organisation.ts';
import { newStripeAccount } from './support/stripe-account.ts';
import { expect, test } from './support/test.ts';

const organisation = ownOrganisation('Tara Topups', 'Credit Works');
const { api } = organisation;

test('a one-time price is linked to an amount of a meter, changed and unlinked', async ({ page }) => {
  const account = await newStripeAccount('Credit Works');
  await account.test.products.create({
    name: '10,000 credits',
    default_price_data: { currency: 'gbp', unit_amount: 2000 },
  });
  await account.newProduct('Growth');
  const feature = await api<Feature>(page, 'POST', '/features', { name: 'Assistant', slug: 'assistant' });
  await api(page, 'POST', `/features/${feature.id}/properties`, {
    ...{ name: 'Credits', propertyKey: 'credits', type: 'meterable' },
    value: { state: 'metered', meter: { limit: 100, periodType: 'lifetime', uniqueResourceIds: false } },
  });
  const integration = await connectStripe(page, organisation, account);
  await page.goto(`/o/${organisation.id}/integrations/stripe/${integration.id}/manage`);

  await page.getByRole('button', { name: 'Link a price' }).click();
  const dialog = page.getByRole('dialog', { name: 'Link a one-time price' });
  await dialog.getByRole('button', { name: 'Link price' }).click();
  await expect(dialog.getByText('Choose a product', { exact: true })).toBeVisible();
  await dialog.getByRole('combobox', { name: 'Product' }).fill('Growth');
  await page.getByRole('option', { name: 'Growth' }).click();
  await expect(dialog.getByText('This product has no one-time price.')).toBeVisible();
  await dialog.getByRole('combobox', { name: 'Product' }).fill('credits');
  await page.getByRole('option', { name: '10,000 credits' }).click();
  await dialog.getByRole('combobox', { name: 'One-time price' }).click();
  await page.getByRole('option', { name: '£20.00' }).click();
  await expect(dialog.getByRole('combobox', { name: 'Meter' })).toHaveValue('assistant.credits');
  await dialog.getByRole('textbox', { name: 'Amount' }).fill('10,000');
  await expectAccessible(page, 'linking a price');
  await dialog.getByRole('button', { name: 'Link price' }).click();
  await expect(page.getByText('Price linked')).toBeVisible();
  const row = page.getByRole('list', { name: 'Top-ups' }).getByRole('listitem');
  await expect(row).toContainText(/10,000 assistant\.credits for £20\.00.*paid, without an end/);
  await expectAccessible(page, 'a linked price');
  await expectFitting(page);

  await row.getByRole('button', { name: 'Actions for £20.00' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit what £20.00 gives' });
  await edit.getByRole('textbox', { name: 'Lasts' }).fill('12');
  await edit.getByRole('switch', { name: 'Pays overage' }).check();
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(row).toContainText('paid, for 12 months, pays overage');

  await row.getByRole('button', { name: 'Actions for £20.00' }).click();
  await page.getByRole('menuitem', { name: 'Unlink' }).click();
  const confirm = page.getByRole('dialog', { name: 'Unlink £20.00?' });
  await confirm.getByRole('button', { name: 'Unlink price' }).click();
  await expect(row).toHaveCount(0);
});
