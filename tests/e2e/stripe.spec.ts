// Stripe, end to end: from an empty organisation to subscriptions that grant plans.

import type { Plan } from '#contracts/console/plans';
import type { StripeIntegration } from '#contracts/console/stripe';
import { callPublicApi } from './support/call-public-api.ts';
import { connectStripe } from './support/connected-stripe.ts';
import { ownOrganisation } from './support/own-organisation.ts';
import { expectAfterRetries } from './support/settle-page.ts';
import { newStripeAccount } from './support/stripe-account.ts';
import { expect, test } from './support/test.ts';

const organisation = ownOrganisation('Stella Stripe', 'Payment Works');
const { api } = organisation;

test('from an empty organisation to access that follows subscriptions, through the pages alone', async ({
  page,
  context,
}) => {
  const account = await newStripeAccount('Payment Works');
  await account.newProduct('Gold', 'live');
  await account.live.customers.create({ name: 'Ada Lovelace', email: 'ada@example.com' });
  const menu = page.getByRole('navigation', { name: 'Main' });

  // The account: key, webhook, sync.
  await page.goto(`/o/${organisation.id}/`);
  await menu.getByRole('link', { name: 'Integrations' }).click();
  await expect(page.getByRole('heading', { name: 'No payment provider connected' })).toBeVisible();
  await page.getByRole('link', { name: 'Connect Stripe' }).click();
  await page.getByLabel('Secret key').fill(account.keys.liveSecretKey);
  await page.getByRole('button', { name: 'Connect Stripe' }).click();
  // A double click sends one request.
  let webhooksAsked = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('/webhook')) webhooksAsked++;
  });
  await page.getByRole('button', { name: 'Create webhook in Stripe' }).dblclick();
  await page.getByRole('button', { name: 'Start sync' }).click();
  expect(webhooksAsked).toBe(1);
  await expect(page.getByText('1 customer, 1 product')).toBeVisible();
  await expect(page.getByText('Waiting for the first event')).toBeVisible();

  // The first event, made where a person makes it.
  const opened = context.waitForEvent('page');
  await page.getByRole('link', { name: 'this server’s Stripe emulator' }).click();
  const stripe = await opened;
  await stripe.getByRole('link', { name: /Ada Lovelace/ }).click();
  await stripe.getByRole('textbox', { name: 'Name', exact: true }).last().fill('Ada King');
  await stripe.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Payment Works is connected')).toBeVisible();
  await expect(page.getByText('First event received')).toBeVisible();

  // A plan, and the product that grants it.
  await menu.getByRole('link', { name: 'Plans' }).click();
  await page.getByRole('button', { name: 'Add a Plan' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Scale');
  await page.getByRole('dialog').getByRole('button', { name: 'Create plan' }).click();
  await page.getByRole('navigation', { name: 'Plan' }).getByRole('link', { name: 'Manage' }).click();
  await expect(page.getByText('No Stripe Products Linked')).toBeVisible();
  await page.getByRole('button', { name: 'Add Stripe Products' }).click();
  const dialog = page.getByRole('dialog', { name: 'Connect Stripe Products (Optional)' });
  await dialog.getByRole('checkbox', { name: /Gold/ }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Plan Products Updated')).toBeVisible();
  const linked = page.getByRole('list', { name: 'Linked Stripe products' }).getByRole('listitem');
  await expect(linked).toContainText(['Gold']);
  await expect(linked).toContainText(['Live']);

  // A version with it, in a live environment.
  await menu.getByRole('link', { name: 'Environments' }).click();
  await page.getByRole('link', { name: 'Changes' }).click();
  await page.getByRole('button', { name: 'Create New Version' }).click();
  await expect(page.getByText('Version 1 created')).toBeVisible();
  const tabs = page.getByRole('navigation', { name: 'Environments' });
  await tabs.getByRole('link', { name: 'Environments' }).click();
  await page.getByRole('button', { name: 'Add a New Environment' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Production');
  await page.getByRole('dialog').getByRole('button', { name: 'Create environment' }).click();
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('button', { name: 'Create a key' }).click();
  await page.getByRole('button', { name: 'Create secret key' }).click();
  const key = (await page.getByTestId('new-key').textContent()) ?? '';
  await menu.getByRole('link', { name: 'Environments' }).click();
  await page.getByRole('button', { name: 'Deploy version 1', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Deploy version 1 to Production' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Deploy version 1 to Production' }).click();

  const ask = async () => (await callPublicApi(page, key, { userIdentifier: 'ada@example.com' })).answer;
  await expect.poll(async () => (await ask()).version?.number).toBe(1);
  expect((await ask()).customer).toMatchObject({ isCustomer: true, plans: [] });

  // Subscribed, and cancelled.
  await stripe.getByRole('combobox', { name: 'Product' }).selectOption({ index: 0 });
  await stripe.getByRole('button', { name: 'Subscribe' }).click();
  await expect(stripe.getByRole('button', { name: 'Cancel now' })).toBeVisible();
  await expect.poll(async () => (await ask()).customer.plans).toEqual(['scale']);
  await stripe.getByRole('button', { name: 'Cancel now' }).click();
  await expect.poll(async () => (await ask()).customer.plans).toEqual([]);
  expect((await ask()).customer.isCustomer).toBe(true);
});

test('an unusable key is reported; a webhook is added manually if the key has no permission', async ({
  page,
  expectBrowserError,
  context,
}) => {
  await test.step('a key that cannot be used says so on its field, and nothing typed is lost', async () => {
    expectBrowserError(/40[09]|503/);
    const account = await newStripeAccount('Refusals');
    await page.goto(`/o/${organisation.id}/integrations/stripe/connect`);
    const field = page.getByLabel('Secret key');
    const connect = page.getByRole('button', { name: 'Connect Stripe' });
    await connect.click();
    await expect(page.getByText('Secret key must be at least 10 characters.')).toBeVisible();
    await field.fill('sk_test_x');
    await connect.click();
    await expect(page.getByText('Secret key must be at least 10 characters.')).toBeVisible();

    const refused = async (key: string, why: RegExp) => {
      await field.fill(key);
      await connect.click();
      await expect(page.getByText('Invalid Secret Key')).toBeVisible();
      await expect(page.getByRole('alert').filter({ hasText: why })).toBeVisible();
      await expect(field).toHaveValue(key);
    };
    await refused('pk_test_emulator_publishable', /publishable key/);
    await refused('sk_test_emulator_of_nobody', /does not recognise this key/);
    await refused(account.keys.expiredKey, /does not recognise this key/);
    await account.setFaults({ isDown: true });
    await refused(account.keys.secretKey, /Stripe could not be reached.*cannot be reached/);
    expect(await api(page, 'GET', '/integrations/stripe')).toEqual([]);

    await account.setFaults({ isDown: false });
    await connect.click();
    await expect(page.getByRole('button', { name: 'Create webhook in Stripe' })).toBeVisible();
    await page.goto(`/o/${organisation.id}/integrations/stripe/connect`);
    await refused(account.keys.secretKey, /already connected in test mode/);
  });
  await organisation.renew(page);
  await test.step('a manual webhook: what to copy, the signing secret, and an event that arrives through it', async () => {
    expectBrowserError(/400/);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const account = await newStripeAccount('Handmade');
    await page.goto(`/o/${organisation.id}/integrations/stripe/connect`);
    await page.getByLabel('Secret key').fill(account.keys.readOnlyKey);
    await page.getByRole('button', { name: 'Connect Stripe' }).click();
    // The key may not write webhook endpoints, and the console says what to do instead.
    await page.getByRole('button', { name: 'Create webhook in Stripe' }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'add the webhook manually' })).toBeVisible();

    await page.getByText('Manual', { exact: true }).click();
    // What Stripe asks besides: the wrong choice would send events that are not used.
    await expect(
      page.getByText('Choose Your account as the scope and Snapshot as the payload style'),
    ).toBeVisible();
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await page.getByRole('button', { name: 'Copy the URL' }).click();
    const url = await copied();
    await page.getByRole('button', { name: 'Copy the events' }).click();
    const events = (await copied()).split('\n');
    expect(events).toContain('customer.subscription.updated');
    await expect(page.getByRole('list', { name: 'Events' }).getByRole('listitem')).toHaveText(events);
    const endpoint = await account.test.webhookEndpoints.create({
      url,
      enabled_events: events as ['customer.created'],
    });

    const save = page.getByRole('button', { name: 'Save signing secret' });
    await page.getByLabel('Signing secret').fill('sk_no_secret_of_a_webhook');
    await save.click();
    await expect(page.getByText('Must begin with whsec_')).toBeVisible();
    await page.getByLabel('Signing secret').fill(endpoint.secret ?? '');
    await save.click();
    await expect(page.getByText('Added manually')).toBeVisible();

    // A user who leaves in the middle continues at the same step.
    await page.goto(`/o/${organisation.id}/integrations`);
    await expect(page.getByText('Next: Sync customers and products')).toBeVisible();
    await page.getByRole('link', { name: /Handmade/ }).click();
    await expect(page).toHaveURL(/\/connect$/);
    await page.getByRole('button', { name: 'Skip the sync' }).click();
    await expect(page.getByText('Waiting for the first event')).toBeVisible();
    await account.test.customers.create({ email: 'first@example.com' });
    await expect(page.getByText('Handmade is connected')).toBeVisible();
    await page.getByRole('link', { name: 'View customers' }).click();
    await expect(page.getByText('first@example.com')).toBeVisible();
    await page.getByRole('link', { name: 'Integrations' }).first().click();
    await expect(page.getByRole('link', { name: /Handmade/ })).toContainText('Never synced');
  });
});

test('Stripe slow, refusing and down: the sync says so, and goes on when it is back', async ({ page }) => {
  const account = await newStripeAccount('Weather');
  await account.seed(250);
  const integration = await connectStripe(page, organisation, account, { isWhole: false });
  const path = `/o/${organisation.id}/integrations/stripe/${integration.id}`;
  await page.goto(`${path}/manage`);
  const customers = page
    .getByRole('list', { name: 'Sync' })
    .getByRole('listitem')
    .filter({ hasText: 'Customers' });
  const products = page
    .getByRole('list', { name: 'Sync' })
    .getByRole('listitem')
    .filter({ hasText: 'Products' });

  // Every request is refused until the page has shown it, however slow the machine is.
  await account.setFaults({ refuseNext: 1000, retryAfterS: 1, onlyRequests: 'GET /v1/customers' });
  await page.getByRole('button', { name: 'Sync customers' }).click();
  await expect(customers).toContainText('Waiting for Stripe');
  await expect(customers).toContainText('Stripe’s rate limit is reached');
  await account.setFaults({ refuseNext: 0 });
  await expect(customers).toContainText('250 processed', { timeout: 60_000 });
  await expect(customers).toContainText('Finished');

  await account.setFaults({ isDown: true, onlyRequests: '' });
  await page.getByRole('button', { name: 'Sync products' }).click();
  await expect(products).toContainText('Stripe cannot be reached');
  await expect(page.getByRole('note').filter({ hasText: 'Stripe connection problem' })).toBeVisible();
  await page.goto(`/o/${organisation.id}/integrations`);
  await expect(page.getByRole('link', { name: /Weather/ })).toContainText('Stripe cannot be reached');
  await account.setFaults({ isDown: false });
  await page.goto(`${path}/manage`);
  await expect(products).toContainText('Finished', { timeout: 60_000 });
  await expect(page.getByRole('note').filter({ hasText: 'Stripe connection problem' })).toBeHidden();

  // A key that is no longer one, and the one that takes its place.
  await account.expireKey(account.keys.secretKey);
  await page.getByRole('button', { name: 'Sync products' }).click();
  await expect(products).toContainText('Failed');
  await expect(products).toContainText('Stripe rejects the secret key');
  await expect(products.getByRole('button', { name: 'Try again' })).toBeVisible();
  await page.getByLabel('New secret key').fill(account.keys.readOnlyKey);
  await page.getByRole('button', { name: 'Replace key' }).click();
  await expect(page.getByText('Secret key replaced')).toBeVisible();
  await products.getByRole('button', { name: 'Try again' }).click();
  await expect(products).toContainText('Finished');
});

test('hundreds of customers and products can be searched and paged', async ({ page }) => {
  const account = await newStripeAccount('Many');
  const { priceId, productId } = await account.newProduct('Gold');
  await account.seed(120, [priceId]);
  await account.test.customers.create({ name: 'Zenobia Unique', email: 'zenobia@example.com' });
  const integration = await connectStripe(page, organisation, account);
  const plan = await api<Plan>(page, 'POST', '/plans', { name: 'Scale', slug: 'scale' });
  await api(page, 'PUT', `/plans/${plan.planId}/products`, {
    addProducts: [{ integrationId: integration.id, productId, version: 1 }],
  });
  await page.goto(`/o/${organisation.id}/integrations/stripe/${integration.id}/customers`);
  const table = page.getByRole('table', { name: 'Customers in Stripe' });
  await expect(page.getByText('1–50 of 121')).toBeVisible();
  await expect(table.getByRole('row')).toHaveCount(51);
  await expect(table.getByRole('row').nth(2)).toContainText('Active');
  await expect(table.getByRole('row').nth(2)).toContainText('Scale');
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByText('51–100 of 121')).toBeVisible();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByText('101–121 of 121')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Next' })).toBeDisabled();
  await page.getByRole('button', { name: 'Previous' }).click();
  await expect(page.getByText('51–100 of 121')).toBeVisible();

  // The search is in the address, and begins at the first page.
  await page.getByLabel('Search customers').fill('zenobia');
  await expect(page.getByText('1–1 of 1', { exact: true })).toBeVisible();
  await expect(page).toHaveURL(/query=zenobia/);
  await page.reload();
  await expect(table.getByRole('row')).toHaveCount(2);
  await expect(table).toContainText('zenobia@example.com');
  await page.getByLabel('Search customers').fill('nobody at all');
  await expect(page.getByText('No results')).toBeVisible();

  await page.getByRole('link', { name: 'Synced products' }).click();
  const products = page.getByRole('table', { name: 'Products in Stripe' });
  await expect(products.getByRole('row').nth(1)).toContainText('Gold');
  await products.getByRole('link', { name: 'Scale' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Scale' })).toBeVisible();
});

test('the products of a plan: staged together, cancelled, removed, and never over what somebody else did', async ({
  page,
  expectBrowserError,
}) => {
  expectBrowserError(/409/);
  const account = await newStripeAccount('Products');
  for (const name of ['Gold', 'Silver', 'Bronze']) await account.newProduct(name);
  const integration = await connectStripe(page, organisation, account);
  const plan = await api<Plan>(page, 'POST', '/plans', { name: 'Scale', slug: 'scale' });
  const mappings = async () => {
    const { grantProductMappings } = await api<Plan>(page, 'GET', `/plans/${plan.planId}`);
    const names = new Map(
      (await api<{ productId: string; name: string }[]>(page, 'GET', '/integrations/stripe-products')).map(
        ({ productId, name }) => [productId, name],
      ),
    );
    return grantProductMappings.map(({ productId }) => names.get(productId)).sort();
  };
  await page.goto(`/o/${organisation.id}/plans/${plan.planId}/manage`);
  const open = page.getByRole('button', { name: 'Add Stripe Products' });
  const dialog = page.getByRole('dialog', { name: 'Connect Stripe Products (Optional)' });
  const box = (name: string) => dialog.getByRole('checkbox', { name: new RegExp(name) });

  // Cancel clears what was staged; toggling twice stages nothing.
  await open.click();
  await box('Gold').check();
  await expect(dialog).toContainText('1 selected. Saving links 1.');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await open.click();
  await expect(box('Gold')).not.toBeChecked();
  await box('Gold').check();
  await box('Silver').check();
  await box('Silver').uncheck();
  await box('Bronze').check();
  await expect(dialog.getByText('Test', { exact: true })).toHaveCount(3);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Plan Products Updated')).toBeVisible();
  expect(await mappings()).toEqual(['Bronze', 'Gold']);

  // Both at once: one more, one less.
  await open.click();
  await box('Gold').uncheck();
  await box('Silver').check();
  const sent = page.waitForRequest((request) => request.method() === 'PUT');
  await dialog.getByRole('button', { name: 'Save' }).click();
  const body = (await sent).postDataJSON() as { addProducts: object[]; removeProducts: object[] };
  expect(body.addProducts).toEqual([
    { integrationId: integration.id, productId: expect.any(String), version: plan.currentVersion },
  ]);
  expect(body.removeProducts).toHaveLength(1);
  await expect(dialog).toBeHidden();
  expect(await mappings()).toEqual(['Bronze', 'Silver']);

  await page.getByRole('button', { name: 'Remove Silver' }).click();
  await page
    .getByRole('dialog', { name: 'Remove Silver from Scale?' })
    .getByRole('button', { name: 'Remove Silver' })
    .click();
  await expect(page.getByText('Plan Product Removed')).toBeVisible();
  expect(await mappings()).toEqual(['Bronze']);

  // Somebody else saves another version while products are being chosen.
  await open.click();
  await box('Gold').check();
  const feature = await api<{ id: string; systemFeatureProperties: { id: string }[] }>(
    page,
    'POST',
    '/features',
    {
      name: 'Seats',
      slug: 'seats',
    },
  );
  await api(page, 'PUT', `/plans/${plan.planId}/versions/1`, {
    properties: {
      [feature.id]: feature.systemFeatureProperties.map(({ id }) => ({ id, type: 'boolean', value: true })),
    },
  });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByRole('alert')).toContainText('It is now at version 2');
  await expect(dialog.getByRole('alert')).toContainText('Bronze');
  await expect(box('Gold')).toBeChecked();
  expect(await mappings()).toEqual(['Bronze']);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  expect(await mappings()).toEqual(['Bronze', 'Gold']);
});

test('an integration is renamed, and deleting it names what stops working', async ({
  page,
  context,
  expectBrowserError,
}) => {
  await test.step('deleting names what stops working, and an open page shows it', async () => {
    expectBrowserError(/404/);
    const account = await newStripeAccount('Going away');
    const { productId } = await account.newProduct('Gold');
    const integration = await connectStripe(page, organisation, account);
    const plan = await api<Plan>(page, 'POST', '/plans', { name: 'Scale', slug: 'scale' });
    await api(page, 'PUT', `/plans/${plan.planId}/products`, {
      addProducts: [{ integrationId: integration.id, productId, version: 1 }],
    });
    const path = `/o/${organisation.id}/integrations/stripe/${integration.id}/manage`;
    await page.clock.install();
    const other = await context.newPage();
    await other.goto(path);
    await expect(other.getByRole('heading', { level: 1, name: 'Going away' })).toBeVisible();

    await page.goto(path);
    await page.getByRole('button', { name: 'Delete Going away' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete Going away?' });
    await expect(dialog).toContainText('This plan loses products');
    await expect(dialog).toContainText('Scale');
    await dialog.getByRole('button', { name: 'Delete Going away' }).click();
    await expect(page).toHaveURL(/\/integrations$/);
    await expect(page.getByText('Going away deleted')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'No payment provider connected' })).toBeVisible();
    expect(await api(page, 'GET', '/integrations/stripe')).toEqual([]);
    expect(await api<Plan>(page, 'GET', `/plans/${plan.planId}`)).toMatchObject({ grantProductMappings: [] });

    await expectAfterRetries(other, other.getByRole('heading', { name: 'Integration Deleted' }));
    await expect.poll(async () => (await account.test.webhookEndpoints.list()).data.length).toBe(0);
  });
  await organisation.renew(page);
  await test.step('a name is changed, and what somebody else changed meanwhile is shown', async () => {
    expectBrowserError(/409/);
    const integration = await connectStripe(page, organisation, await newStripeAccount('First name'));
    const path = `/integrations/stripe/${integration.id}`;
    await page.goto(`/o/${organisation.id}${path}/manage`);
    await page.getByLabel('Name', { exact: true }).fill('My name for it');
    await api<StripeIntegration>(page, 'PUT', path, { name: 'Their name for it' });
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByText('was changed by you in another tab in the meantime')).toBeVisible();
    await expect(page.getByText('Their name for it').last()).toBeVisible();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByText('Stripe integration updated')).toBeVisible();
    await expect(page.getByRole('heading', { level: 1, name: 'My name for it' })).toBeVisible();

    await page.getByLabel('Description').fill('half a sentence');
    await page.getByRole('link', { name: 'Synced products' }).click();
    await expect(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible();
  });
});
