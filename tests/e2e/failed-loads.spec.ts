// Every page whose data cannot be loaded names what is missing, with the request ID, and loads it on retry.
import type { Plan } from '#contracts/console/plans';
import { connectStripe } from './support/connected-stripe.ts';
import { ownOrganisation } from './support/own-organisation.ts';
import { expectAfterRetries } from './support/settle-page.ts';
import { newStripeAccount } from './support/stripe-account.ts';
import { expect, test } from './support/test.ts';
import { visitPage } from './support/visit-page.ts';

const organisation = ownOrganisation('Fay Failing', 'Failing Works');
const { api } = organisation;

test('what cannot be loaded is named with its request id, and can be tried again', async ({
  page,
  expectBrowserError,
}) => {
  expectBrowserError(/500/);
  const integration = await connectStripe(page, organisation, await newStripeAccount('Failing'), {
    isWhole: false,
  });
  const stripe = `/integrations/stripe/${integration.id}`;
  const { planId } = await api<Plan>(page, 'POST', '/plans', { name: 'Scale', slug: 'scale' });
  const json = { errorType: 'server-error', message: 'Out of order', requestId: 'req_test' };
  await page.clock.install();
  await page.goto('/account');
  await expect(page.getByLabel('Full Name')).toBeVisible();
  // The environments are read by every page.
  const sheet = '/customers?customer=ada%40example.com';
  const seen = new Set<string>([sheet]);
  for (const [shown, asked, words] of [
    ['/features', '/features', 'The features could not be loaded'],
    ['/team', '/team-summary', 'The team could not be loaded'],
    ['/settings', '', 'The settings could not be loaded'],
    ['/billing', '/billing', 'The plan could not be loaded'],
    ['/environments/changes', '/artifacts', 'Unable to calculate changes'],
    ['/environments/changes', '/artifacts/last-diff', 'Unable to calculate changes'],
    ['/integrations', '/integrations/jwt', 'The JWT integrations could not be loaded'],
    ['/integrations', '/integrations/stripe', 'The Stripe integrations could not be loaded'],
    [`${stripe}/manage`, stripe, 'The integration could not be loaded'],
    [`${stripe}/customers`, `${stripe}/customers`, 'The customers could not be loaded'],
    [`${stripe}/products`, `${stripe}/products`, 'The products could not be loaded'],
    [
      '/customers/ada%40example.com',
      '/customers/ada%40example.com',
      'Grants and overrides could not be loaded',
    ],
    [sheet, '/environments', 'The environments could not be loaded'],
    [`/plans/${planId}/manage`, '/integrations/stripe-products', 'The products could not be loaded'],
  ] as const) {
    const address = new RegExp(`/api/orgs/${organisation.id}${asked}(\\?.*)?$`);
    await page.route(address, (route) => route.fulfill({ status: 500, json }));
    // A page shows data it has read before, so it is reloaded the second time.
    if (seen.has(shown)) await page.goto(`/o/${organisation.id}${shown}`);
    else await visitPage(page, `/o/${organisation.id}${shown}`);
    seen.add(shown);
    await expectAfterRetries(page, page.getByText(words));
    await expect(page.getByRole('button', { name: 'Copy request ID req_test' }).first()).toBeVisible();
    await page.unroute(address);
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await expect(page.getByText(words)).toBeHidden();
  }

  const versions = new RegExp(`/api/orgs/${organisation.id}/artifacts(\\?.*)?$`);
  await page.route(versions, (route) => route.fulfill({ status: 500, json }));
  await page.goto(`/o/${organisation.id}/team`);
  await page
    .getByRole('banner')
    .getByRole('button', { name: /Preview environment/ })
    .click();
  const deploy = page.getByRole('region', { name: 'Deploy' });
  await expectAfterRetries(page, deploy.getByText('The environments could not be loaded'));
  await page.unroute(versions);
  await deploy.getByRole('button', { name: 'Try again' }).click();
  await expect(deploy.getByText('Add an environment to deploy to')).toBeVisible();

  await page.route('**/api/v1/openapi.json', (route) => route.fulfill({ status: 500, json }));
  await visitPage(page, '/api-docs');
  await expectAfterRetries(page, page.getByText('The API reference could not be loaded'));
  await page.unroute('**/api/v1/openapi.json');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('region', { name: 'Access checks', exact: true })).toBeVisible();
});
