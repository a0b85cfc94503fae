// The organisation's own plan: checkout, cancellation and failed payments in the emulator, and what the console shows.
import type { Page } from '@playwright/test';
import type { Billing } from '#contracts/console/billing';
import { newColleague } from './support/colleague.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { expectFitting } from './support/expect-fitting.ts';
import { ownOrganisation } from './support/own-organisation.ts';
import { expect, test } from './support/test.ts';

const organisation = ownOrganisation('Bill Billing', 'Billing Works');

const billingPage = () => `/o/${organisation.id}/billing`;
const planCard = (page: Page, name: 'Build' | 'Grow') => page.getByRole('region', { name: `${name} plan` });
const standing = (page: Page) => organisation.api<Billing>(page, 'GET', '/billing');

/** From the billing page to the emulator's checkout. */
async function openCheckout(page: Page): Promise<void> {
  await page.goto(billingPage());
  await page.getByRole('button', { name: 'Upgrade Plan' }).click();
  await page.waitForURL(/\/checkout\//);
}

async function upgrade(page: Page): Promise<void> {
  await openCheckout(page);
  await page.getByRole('button', { name: /^Pay £18/ }).click();
  await page.waitForURL(`**${billingPage()}`);
}

/** From now on the API answers as it does now, but for these fields. */
async function alter(page: Page, path: '/billing' | '/summary', change: object): Promise<void> {
  const json = { ...(await organisation.api<object>(page, 'GET', path)), ...change };
  await page.route(`**/api/orgs/*${path}`, (route) => route.fulfill({ json }));
}

test('an owner upgrades and is thanked, is on Grow everywhere, and cancels and continues in the billing portal', async ({
  page,
  expectBrowserError,
}) => {
  await test.step('an owner upgrades: pays in Stripe Checkout, is thanked, and is on Grow everywhere', async () => {
    await page.emulateMedia({ reducedMotion: 'no-preference' }); // Confetti is motion.
    await page.goto(billingPage());
    await expect(planCard(page, 'Build')).toContainText('Current plan');
    await expect(planCard(page, 'Build')).toContainText('API calls per month');
    await expect(planCard(page, 'Grow')).toContainText('£18');
    await expect(planCard(page, 'Grow')).toContainText('£0.20 per 10k additional calls');
    await expect(page.getByRole('button', { name: 'Open billing portal' })).toBeDisabled();
    await upgrade(page);
    await expect(page.locator('canvas')).toBeAttached();
    await expect(page.getByText('Payment Process Successfully')).toBeVisible();
    await expect(page.getByText('Thanks!')).toBeVisible();
    await expect(planCard(page, 'Grow')).toContainText('Current plan');
    await expect(page.getByTitle('The organisation’s plan')).toHaveText('Grow');
    await expect(page.getByText('Active', { exact: true })).toBeVisible();
    expect(await standing(page)).toMatchObject({ plan: 'grow', subscription: { status: 'active' } });

    await page.getByRole('button', { name: 'Downgrade to Build' }).click();
    await expect(
      page.getByText('Downgrading is not yet supported in the console, please contact support.'),
    ).toBeVisible();
    expect(await standing(page)).toMatchObject({ plan: 'grow' });
  });
  await test.step('in the billing portal a subscription is cancelled, and kept after all', async () => {
    await page.getByRole('button', { name: 'Open billing portal' }).click();
    await page.waitForURL(/\/portal\//);
    await page.getByRole('button', { name: 'Cancel subscription' }).click();
    await page.getByRole('link', { name: /Return to/ }).click();
    await page.waitForURL(`**${billingPage()}`);
    await expect(page.getByText(/^Grow ends on/)).toBeVisible();
    await expect(page.getByText('Ends on', { exact: true })).toBeVisible();
    expect(await standing(page)).toMatchObject({ plan: 'grow', subscription: { cancelAtPeriodEnd: true } });

    await page.getByRole('button', { name: 'Open billing portal' }).click();
    await page.getByRole('button', { name: 'Don’t cancel subscription' }).click();
    await page.getByRole('link', { name: /Return to/ }).click();
    await expect(page.getByText('Next invoice', { exact: true })).toBeVisible();
  });
  await test.step('a portal without an address, and a checkout that cannot be opened, are said', async () => {
    expectBrowserError(/checkout-session/);
    await page.route('**/billing-portal-sessions*', (route) => route.fulfill({ json: {} }));
    await page.getByRole('button', { name: 'Open billing portal' }).click();
    await expect(page.getByText('Unable to link to billing portal')).toBeVisible();
    await expect(page.getByText('Please contact support', { exact: true })).toBeVisible();

    await alter(page, '/billing', { plan: 'build' });
    await page.reload();
    for (const answer of [{}, { redirectToUrl: '' }, { redirectToUrl: 'javascript:alert(1)' }]) {
      await page.route('**/checkout-session*', (route) => route.fulfill({ json: answer }), { times: 1 });
      await page.getByRole('button', { name: 'Upgrade Plan' }).click();
      const notice = page.getByText('Unable to open the checkout').last();
      await expect(notice).toBeVisible();
      await page.reload();
    }
    await page.getByRole('button', { name: 'Upgrade Plan' }).click();
    await expect(page.getByText('Unable to open the checkout')).toBeVisible();
    await expect(page.getByText('The organisation is already on the Grow plan')).toBeVisible();
  });
});

test('turning back from the checkout changes nothing and says how to go on; without motion, nothing flies about', async ({
  page,
}) => {
  await test.step('leaving the checkout shows how to continue, and changes nothing', async () => {
    await openCheckout(page);
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.waitForURL(`**${billingPage()}`);
    await expect(page.getByText('Payment Cancelled')).toBeVisible();
    await expect(page.getByText('Click Upgrade Plan if you change your mind!')).toBeVisible();
    await expect(planCard(page, 'Build')).toContainText('Current plan');
    expect(await standing(page)).toMatchObject({ plan: 'build', subscription: null });
  });
  await test.step('no confetti with reduced motion', async () => {
    await upgrade(page);
    await expect(page.getByText('Payment Process Successfully')).toBeVisible();
    await expect(page.locator('canvas')).toHaveCount(0);
  });
});

test('a return without a checkout goes home, and one that is not paid says so', async ({
  page,
  expectBrowserError,
}) => {
  expectBrowserError(/fulfillment|ERR_FAILED/);
  await page.goto('/payment-success');
  await page.waitForURL((url) => url.pathname === '/');

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/payment-success?session_id=cs_test_${'a1'.repeat(29)}`);
  await expect(page.getByText('Payment Fulfillment Failure')).toBeVisible();
  await expect(page.getByText('Please contact support', { exact: true })).toBeVisible();
  await page.waitForURL('**/payment-failure');
  await expect(page.getByRole('heading', { name: 'Your payment is not confirmed' })).toBeVisible();
  await expectFitting(page, 'a payment that failed');
  await expectAccessible(page, 'a payment that failed');

  await openCheckout(page);
  const sessionId = /cs_\w+/.exec(page.url())?.[0];
  await page.route('**/checkout-session-fulfillment', (route) => route.abort());
  await page.goto(`/payment-success?session_id=${sessionId}`);
  await page.waitForURL('**/payment-failure');
  await page.unroute('**/checkout-session-fulfillment');
  await page.getByRole('link', { name: 'Check again' }).click();
  await expect(page.getByText('Payment Fulfillment Failure')).toBeVisible();
  await page.getByRole('link', { name: 'Back to Plan & Billing' }).click();
  await page.waitForURL(`**${billingPage()}`);

  await page.goto(`/o/${organisation.id}/payment-failure`);
  await page.getByRole('link', { name: 'Back to Plan & Billing' }).click();
  await page.waitForURL(`**${billingPage()}`);
});

test('a member sees the plan and who may change it; a block is shown on the dashboard and here, with the way out', async ({
  page,
  browser,
}) => {
  await test.step('members see the plan, and who can change it', async () => {
    const member = await newColleague(browser, page, organisation.id, { name: 'Mem Ber', role: 'member' });
    await member.page.goto(billingPage());
    await expect(member.page.getByText('Only owners and admins can change the plan')).toBeVisible();
    await expect(member.page.getByRole('button', { name: 'Upgrade Plan' })).toBeDisabled();
    await expect(member.page.getByRole('button', { name: 'Open billing portal' })).toBeDisabled();
    await expectAccessible(member.page, 'billing, as a member sees it');
    await member.page.close();
  });
  await test.step('what the subscription needs is said above every page, with the way to billing, and to members who can', async () => {
    const member = await newColleague(browser, page, organisation.id, { name: 'Mo Ber', role: 'member' });
    const notice = { kind: 'on-hold', until: null, graceUntil: Date.UTC(2030, 0, 8) };
    for (const [each, isMember] of [
      [page, false],
      [member.page, true],
    ] as const) {
      await alter(each, '/summary', { billingNotice: notice, ...(isMember && { userPermissions: [] }) });
      await each.goto(`/o/${organisation.id}/features`);
      const banner = each.getByRole('region', { name: 'Billing notice' });
      await expect(banner).toContainText('Grow is on hold: an invoice is unpaid');
      await expect(banner).toContainText('Its limit of 100,000 API calls a month applies from 8 Jan.');
      await expect(banner.getByRole('link', { name: 'team page' })).toHaveCount(isMember ? 1 : 0);
      await expectAccessible(each, 'the billing banner');
      await banner.getByRole('link', { name: 'View Plan & Billing' }).click();
      await each.waitForURL(`**${billingPage()}`);
      await expect(banner).toBeVisible();
      await expect(banner.getByRole('link', { name: 'View Plan & Billing' })).toHaveCount(0);
      await each.unrouteAll();
    }
    await member.page.close();
  });
  await test.step('a block is said on the dashboard and here, with the way out', async () => {
    const reason = 'The organisation reached its monthly allowance of API calls';
    await alter(page, '/summary', { blockReason: reason });
    await alter(page, '/billing', {
      block: { reason, until: Date.UTC(2030, 0, 1) },
      usage: { monthAt: 0, nextMonthAt: 1, total: 100_001, allowance: 100_000, remaining: 0 },
    });
    await page.goto(`/o/${organisation.id}/`);
    await expect(page.getByRole('alert')).toContainText('API calls are blocked');
    await page.getByRole('alert').getByRole('link', { name: 'View Plan & Billing' }).click();
    await page.waitForURL(`**${billingPage()}`);
    await expect(page.getByRole('alert')).toContainText(reason);
    await expect(page.getByText('Limit reached', { exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Upgrade Plan' })).toBeEnabled();
  });
});

test('in both themes the page is readable, and fits every window', async ({ page }) => {
  const usage = { monthAt: 0, nextMonthAt: 1, allowance: 100_000 };
  const states = {
    build: { usage: { ...usage, total: 91_000, remaining: 9_000 } },
    grow: {
      plan: 'grow',
      hasCustomerId: true,
      subscription: {
        status: 'past_due',
        currentPeriodEndAt: 1,
        cancelAtPeriodEnd: true,
        pastDueUntil: Date.UTC(2030, 0, 15, 12),
      },
      usage: {
        ...usage,
        total: 12_345_678_901,
        allowance: null,
        remaining: null,
        invoiced: { periodStartAt: 1, periodEndAt: Date.UTC(2030, 0, 20, 12), total: 1_300_000 },
      },
      notice: { kind: 'past-due', until: Date.UTC(2030, 0, 15, 12), graceUntil: null },
    },
    bare: { isSetUp: false, usage: { ...usage, total: null, remaining: null } },
  };
  for (const [name, state] of Object.entries(states)) {
    await alter(page, '/billing', state);
    await alter(page, '/summary', { billingNotice: 'notice' in state ? state.notice : null });
    await page.route('**/api/orgs/*/next-invoice', (route) =>
      route.fulfill({ json: { invoice: { totalMinor: 4_920, currency: 'gbp' } } }),
    );
    await page.goto(billingPage());
    await expect(planCard(page, 'Grow')).toBeVisible();
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await expectFitting(page, `${name} at ${width}`);
    }
    await expect(page.getByText('The last payment failed')).toHaveCount(name === 'grow' ? 1 : 0);
    if (name === 'grow') {
      await expect(page.getByText(/Grow stays active until .*2030/)).toBeVisible();
      await expect(
        page.getByText(/1,200,000 additional calls so far: £24 on the invoice of .*2030/),
      ).toBeVisible();
      await expect(page.getByText('£49.20 so far, with discounts and tax')).toBeVisible();
    }
    await expectAccessible(page, `billing: ${name}`);
    await page.unrouteAll();
  }
});
