// What `npm start` promises: its demo user signs in and finds a believable organisation, connected to Stripe, and the
// command that it prints is answered.
import { existsSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { organisationEndpoints } from '#contracts/console/organisations';
import { type AccessCheckAnswer, accessCheckAnswerSchema } from '#contracts/public/access';
import { signInDemo } from '../../dev/demo/demo-account.ts';
import { subscribers, teamSubscriber, trialCustomer } from '../../dev/demo/demo-customers.ts';
import { findDemoOrganisation } from '../../dev/demo/find-demo-organisation.ts';
import { seedDemo } from '../../dev/demo/seed-demo.ts';
import { SignInRefusedError, signInAs } from '../../dev/workspace/sign-in.ts';
import { join, newPerson, signInOnPage } from './support/people.ts';
import { DEMO_READY } from './support/start-server.ts';
import { expect, test } from './support/test.ts';

test.beforeAll(async () => {
  const demoReady = process.env[DEMO_READY];
  if (demoReady === undefined) return;
  await expect
    .poll(() => existsSync(demoReady), { message: 'the demo is complete', timeout: 110_000 })
    .toBe(true);
});

async function signIn(page: Page): Promise<void> {
  await page.goto('/');
  await signInOnPage(page, 'demo@tessera.example', 'tessera-demo');
  await expect(page).toHaveURL('/');
}

const follow = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click();

test('the demo user finds plans, features, the Stripe account with everybody in it, and a customer with a manual plan', async ({
  page,
}) => {
  await test.step('the demo user signs in and finds its plans and its features', async () => {
    await signIn(page);
    await expect(page.getByRole('button', { name: 'Organisation: Acme Analytics' })).toBeVisible();
    await follow(page, 'Plans');
    await expect(page.getByRole('heading', { name: 'Plans', level: 1 })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Free', exact: true })).toBeVisible();
    await follow(page, 'Features');
    await expect(page.getByRole('link', { name: 'Data exports' })).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('heading', { name: 'Plans', level: 1 })).toBeVisible();
  });
  await test.step('the demo is connected to its Stripe account, with everybody in it, and to an issuer of tokens', async () => {
    await follow(page, 'Integrations');
    await expect(page.getByRole('link', { name: 'Acme sign-in' })).toBeVisible();
    const account = page.getByRole('link', { name: /^Acme Analytics Test/ });
    await expect(account).toContainText('250 customers');
    await expect(account).toContainText('12 products');
    await account.click();
    await expect(page.getByRole('region', { name: 'Status' }).getByText('Created in Stripe')).toBeVisible();
    await page.getByRole('link', { name: 'Synced products' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Acme Team' });
    await expect(row.getByText('Team', { exact: true })).toBeVisible();
  });
  await test.step('a customer of the demo has a manual grant with a reason, and an override with an end date', async () => {
    await follow(page, 'Customers');
    await page.getByLabel('Search customers').fill(trialCustomer.email);
    await page.getByRole('row', { name: trialCustomer.email }).getByRole('link').click();
    // The Stripe customer's page leads to that of the address, which has the grant.
    await page.getByRole('link', { name: trialCustomer.email }).first().click();
    await expect(page.getByRole('heading', { name: 'Granted manually' })).toBeVisible();
    await expect(page.getByText(/before the contract is signed/).first()).toBeVisible();
    await expect(page.getByRole('list', { name: 'Usage' }).getByText(/^128 of 500 /)).toBeVisible();
  });
});

test('the printed command is answered with plan and usage, and a subscription decides the plan of each customer', async ({
  baseURL,
}) => {
  await test.step('the printed command asks about a customer who subscribes, and is answered with plan and usage', async () => {
    // Once more, as every start does: what is there stays as it is.
    const { intro, curl } = await seedDemo({ baseUrl: baseURL!, stripeKey: null });
    expect(intro).toBe('Chidi Okafor subscribes to Acme Team in Stripe. Check what that allows in Staging:');
    const { customer, features } = await runCurl(curl);
    expect(customer).toEqual({ isCustomer: true, plans: ['free', 'team'] });
    expect(features['data-exports']?.properties.exports).toMatchObject({
      allowed: true,
      limit: 100,
      used: 37,
    });
    expect(features['team-seats']?.properties.seats).toMatchObject({ limit: 10, used: 6 });
  });
  await test.step('a subscription decides the plan of each of the demo’s customers, also once the demo is renamed', async () => {
    const session = await signInDemo(baseURL!);
    const { id: orgId, name } = (await findDemoOrganisation(session))!;
    const rename = (to: string) =>
      session.call(organisationEndpoints.update, { params: { orgId }, body: { name: to } });
    await rename('Acme Renamed');
    const { curl } = await seedDemo({ baseUrl: baseURL!, stripeKey: null });
    expect(await findDemoOrganisation(session)).toMatchObject({ id: orgId, name: 'Acme Renamed' });
    await rename(name);
    const ask = async (email: string) => (await runCurl(curl.replace(teamSubscriber.email, email))).customer;
    const plans = await Promise.all(subscribers.map(async ({ email }) => (await ask(email)).plans.at(-1)));
    expect(plans).toEqual(['team', 'team', 'starter', 'enterprise', 'extra-seats', 'enterprise']);
    expect(await ask('nobody@customers.example')).toEqual({ isCustomer: false, plans: ['free'] });
  });
});

test('a demo whose password was changed is named as the reason, instead of making another account', async ({
  request,
  baseURL,
}) => {
  const person = newPerson('Dora Demo');
  await join(request, person);
  const signIn = signInAs(baseURL!, { ...person, password: 'not-the-password' });
  await expect(signIn).rejects.toThrow(SignInRefusedError);
  await expect(signIn).rejects.toThrow(`The password of ${person.email} was changed.`);
});

/** Sends what the command would. */
async function runCurl(command: string): Promise<AccessCheckAnswer> {
  const [, url = ''] = /^curl -s (\S+)/.exec(command) ?? [];
  const headers = [...command.matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name, value]) => [name!, value!]);
  const [, body = ''] = /-d '([^']+)'/.exec(command) ?? [];
  const response = await fetch(url, { method: 'POST', headers: Object.fromEntries(headers), body });
  expect(response.status).toBe(200);
  return accessCheckAnswerSchema.parse(await response.json());
}
