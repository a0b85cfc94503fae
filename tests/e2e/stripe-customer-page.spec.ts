// A customer of a connected Stripe account in the console: found by name, shown with what it subscribes to, by its id and by
// its email address.
import type { Environment } from '#contracts/console/environments';
import type { Plan } from '#contracts/console/plans';
import { connectStripe } from './support/connected-stripe.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { expectFitting } from './support/expect-fitting.ts';
import { ownOrganisation } from './support/own-organisation.ts';
import { newStripeAccount } from './support/stripe-account.ts';
import { expect, test } from './support/test.ts';

const organisation = ownOrganisation('Cleo Customers', 'Customer Works');
const { api } = organisation;

test('a Stripe customer is found by name and shown with subscriptions and plans, also behind its address', async ({
  page,
}) => {
  const account = await newStripeAccount('Customer Works');
  const { productId, priceId } = await account.newProduct('Growth');
  const { id } = await account.test.customers.create({ email: 'Ada@Example.com', name: 'Ada Lovelace' });
  const { id: twinId } = await account.test.customers.create({ email: 'ada@example.com' });
  const { id: subscriptionId } = await account.test.subscriptions.create({
    customer: id,
    items: [{ price: priceId }],
  });
  const integration = await connectStripe(page, organisation, account);
  const plan = await api<Plan>(page, 'POST', '/plans', { name: 'Scale', slug: 'scale' });
  await api(page, 'PUT', `/plans/${plan.planId}/products`, {
    addProducts: [{ integrationId: integration.id, productId, version: 1 }],
  });
  const [preview] = await api<Environment[]>(page, 'GET', '/environments');
  const base = `/o/${organisation.id}/customers`;

  await page.goto(base);
  await page.getByRole('textbox', { name: 'Search customers' }).fill('lovelace');
  const found = page.getByRole('table', { name: 'Customers' }).getByRole('row').filter({ hasText: 'Scale' });
  await expect(found).toContainText(/Ada Lovelace.*ada@example.com.*Scale/);
  await found.getByRole('link', { name: 'Ada Lovelace' }).click();

  await expect(page.getByRole('heading', { level: 1, name: 'Ada Lovelace' })).toBeVisible();
  const shown = page.getByRole('list', { name: 'Stripe customers' });
  await expect(shown).toContainText('Ada Lovelace');
  await expect(shown).toContainText('ada@example.com');
  await expect(shown).toContainText('Test');
  await expect(shown.getByRole('list', { name: 'Subscriptions of Ada Lovelace' })).toContainText(
    /Active.*Growth/,
  );
  await expect(shown.getByRole('button', { name: `Copy customer ID ${id}` })).toBeVisible();
  await expect(shown.getByRole('link', { name: integration.name }).first()).toHaveAttribute(
    'href',
    new RegExp(`/integrations/stripe/${integration.id}$`),
  );
  // This server calls the emulator, so that is where the customer is.
  const opened = page.context().waitForEvent('page');
  await shown.getByRole('link', { name: 'Open in Stripe' }).first().click();
  const inStripe = await opened;
  await expect(inStripe.locator('#customer')).toContainText(id);
  await inStripe.close();
  await page.goto(`${base}/${id}?environment=${preview!.id}`);
  const plans = page.getByRole('list', { name: 'Plans of the customer' });
  await expect(plans).toContainText('subscription to Growth, active');

  await page.goto(`${base}/${encodeURIComponent('ada@example.com')}?environment=${preview!.id}`);
  await expect(page.getByRole('note')).toContainText(id);
  await expect(plans).toContainText('subscription to Growth, active');
  await expect(shown.getByRole('link', { name: 'Ada Lovelace' })).toBeVisible();
  await expect(shown.getByRole('link', { name: twinId })).toHaveCount(0);
  await expectAccessible(page, "a customer's address");
  for (const width of [390, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await expectFitting(page, `a customer's address at ${width}`);
  }
  await expect(shown.getByText('Email owner')).toHaveCount(1);
  await expect(
    page.getByRole('status').filter({ hasText: 'Several customers have this email' }),
  ).toBeVisible();

  await api(page, 'POST', `/customers/${encodeURIComponent('ada@example.com')}/grants`, {
    planId: plan.planId,
    environmentId: null,
    reason: 'A pilot customer',
    until: null,
  });
  await page.reload();
  await shown.getByRole('button', { name: `Link to ${twinId}…` }).click();
  const dialog = page.getByRole('dialog', { name: new RegExp(`Link .* to Stripe customer ${twinId}`) });
  await expect(dialog.getByRole('listitem')).toHaveText([
    '1 manual grant',
    'no overrides',
    'usage counted under this email',
  ]);
  await expectAccessible(page, 'linking an email');
  await dialog.getByRole('button', { name: `Link to ${twinId}` }).click();
  await expect(page.getByRole('note')).toContainText(twinId);
  await expect(plans).toContainText('subscription to Growth, active, and granted manually');

  await page.getByRole('note').getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1, name: 'ada@example.com' })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(twinId));
  await expect(plans).toContainText('granted manually');
  const granted = page.getByRole('list', { name: 'Granted plans' });
  await expect(granted).toContainText('A pilot customer');
  await expect(granted).toContainText('via ada@example.com');
  await expect(plans).not.toContainText('subscription to Growth, active');
  await shown.getByRole('link', { name: 'Ada Lovelace' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Ada Lovelace' })).toBeVisible();

  await account.test.subscriptions.cancel(subscriptionId);
  await expect(
    page.getByText('No plan. Properties have their default values unless overridden.'),
  ).toBeVisible();
});

test('an access policy and a user ID key are set on the integration page, and the customer page shows the ID', async ({
  page,
}) => {
  const account = await newStripeAccount('User Works');
  const { id } = await account.test.customers.create({
    name: 'Grace Hopper',
    metadata: { userId: 'user-2042' },
  });
  const integration = await connectStripe(page, organisation, account);
  await page.goto(`/o/${organisation.id}/integrations/stripe/${integration.id}/manage`);
  const days = page.getByLabel('Days of access while past due');
  await days.fill('7');
  await page.getByLabel('Keep access while payment collection is paused').setChecked(false);
  const plans = page.getByLabel('When a subscription’s plan or quantity changes');
  await expect(plans).toHaveValue('carry');
  await plans.selectOption('Prorate the limits');
  await expect(page.getByText('Each limit counts for its share of the period.')).toBeVisible();
  const resets = page.getByLabel('Minimum days between resets');
  await resets.fill('14 days');
  await expect(resets).toHaveValue('14');
  await page.getByRole('button', { name: 'Save policy' }).click();
  await expect(page.getByText('Access policy updated')).toBeVisible();
  await page.getByLabel('Metadata key').fill('userId');
  await page.getByRole('button', { name: 'Save metadata key' }).click();
  await expect(page.getByText('Metadata key updated')).toBeVisible();
  await page.reload();
  await expect(days).toHaveValue('7');
  await expect(plans).toHaveValue('proportional');
  await expect(resets).toHaveValue('14');
  await expect(page.getByLabel('Keep access while payment collection is paused')).not.toBeChecked();
  await expect(page.getByLabel('Metadata key')).toHaveValue('userId');
  await expectFitting(page);

  await page.goto(`/o/${organisation.id}/customers/user-2042`);
  await expect(page.getByRole('list', { name: 'Stripe customers' })).toContainText('also known as user-2042');
  await page.getByRole('note').getByRole('link', { name: id }).click();
  await expect(page.getByText('Also known as user-2042.')).toBeVisible();
});

test('a customer created by API becomes one with the Stripe customer that has its email, and is separated again', async ({
  page,
  expectBrowserError,
}) => {
  const account = await newStripeAccount('Joined Works');
  const { priceId } = await account.newProduct('Team');
  const email = 'billing@acme.example';
  const { id } = await account.test.customers.create({ email, name: 'Acme Ltd' });
  await account.test.subscriptions.create({ customer: id, items: [{ price: priceId }] });
  const environments = await api<Environment[]>(page, 'GET', '/environments');
  const preview = environments.find(({ type }) => type === 'preview');
  const { value } = await api<{ value: string }>(page, 'POST', '/api-keys', {
    environmentId: preview!.id,
    type: 'secret',
    managesCustomers: true,
  });
  const save = async (body: object, customer = 'acme-42') => {
    const headers = { authorization: `Bearer ${value}` };
    const response = await page.request.put(`/api/v1/customers/${customer}`, { headers, data: body });
    expect(response.status()).toBe(200);
  };
  await expect(() => save({ name: 'Acme', email })).toPass();
  const integration = await connectStripe(page, organisation, account);

  await page.goto(`/o/${organisation.id}/customers/acme-42?environment=${preview!.id}`);
  const shown = page.getByRole('list', { name: 'Stripe customers' });
  await expect(shown).toContainText('Acme Ltd');
  await expect(page.getByText('Same email. Its plans apply once you confirm')).toBeVisible();
  await shown.getByRole('button', { name: 'Same customer…' }).click();
  const dialog = page.getByRole('dialog', { name: `Are acme-42 and ${id} the same customer?` });
  await expectAccessible(page, 'saying that two customers are one');
  await dialog.getByRole('button', { name: 'Same customer' }).click();
  await expect(shown.getByText(/^Same customer since/)).toBeVisible();
  await expect(page.getByText(`Also known as ${id}.`)).toBeVisible();
  await expect(page.getByText('Checks by each of its IDs share plans')).toBeVisible();
  // Of one account and mode, one Stripe customer is the customer: another one replaces it.
  const { id: otherId } = await account.test.customers.create({ email, name: 'Acme Two' });
  const other = shown.getByRole('listitem').filter({ hasText: otherId });
  await expect(async () => {
    await page.reload();
    await expect(other).toBeVisible({ timeout: 5_000 });
  }).toPass();
  await other.getByRole('button', { name: 'Same customer…' }).click();
  const replacing = page.getByRole('dialog', { name: `Are acme-42 and ${otherId} the same customer?` });
  await expect(replacing.getByRole('note')).toContainText(`${otherId} replaces ${id}`);
  await expectAccessible(page, 'replacing a joined customer');
  await replacing.getByRole('button', { name: 'Cancel' }).click();
  for (const width of [390, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await expectFitting(page, `a joined customer at ${width}`);
  }
  await shown.getByRole('link', { name: 'Acme Ltd' }).click();
  await expect(page.getByRole('note')).toContainText('this Stripe customer is the same as customer acme-42');
  await page.getByRole('note').getByRole('link', { name: 'acme-42' }).click();

  await shown.getByRole('button', { name: 'Separate…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Separate' }).click();
  const first = shown.getByRole('listitem').filter({ hasText: id });
  await first.getByRole('button', { name: 'Same customer…' }).click();
  await save({ name: 'Acme Labs' }, 'acme-43');
  const source = { environmentId: preview!.id, integrationId: integration.id, customerId: id };
  await api(page, 'PUT', '/customers/acme-43/sources', source);
  expectBrowserError(/\/sources/);
  await dialog.getByRole('button', { name: 'Same customer' }).click();
  await expect(page.getByText('This Stripe customer is another customer’s already')).toBeVisible();
  await expect(page.getByText('Duplicate Entry')).toBeVisible();
});
