// JWT integrations, end to end: accepted key formats, stored settings, and the customer a token resolves to.
import type { Page } from '@playwright/test';
import { CompactSign, type CryptoKey, exportJWK, exportPKCS8, exportSPKI, generateKeyPair } from 'jose';
import type { JwtIntegration } from '#contracts/console/integrations';
import type { AccessCheckAnswer } from '#contracts/public/access';
import { expectAccessible } from './support/expect-accessible.ts';
import { expectFitting } from './support/expect-fitting.ts';
import { ownOrganisation } from './support/own-organisation.ts';
import { expect, test } from './support/test.ts';

const organisation = ownOrganisation('Ivy Integrations', 'Token Works');
const { api } = organisation;

async function newIssuer(algorithm = 'ES256') {
  const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true });
  return { publicKey, privateKey, pem: await exportSPKI(publicKey), algorithm };
}

function tokenFor(email: string, { privateKey, algorithm }: { privateKey: CryptoKey; algorithm: string }) {
  const claims = { email, exp: Math.floor(Date.now() / 1000) + 600 };
  return new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
    .setProtectedHeader({ alg: algorithm })
    .sign(privateKey);
}

async function outcome(page: Page, userJwt: string): Promise<string> {
  const { response } = await api<{ response: AccessCheckAnswer }>(
    page,
    'POST',
    '/envs/preview/access-checks',
    {
      request: { userJwt },
      apiKeyType: 'public',
    },
  );
  return response.warnings.find(({ code }) => code.startsWith('jwt-'))?.code ?? response.identity.method;
}

const makeIntegration = (page: Page, publicKey: string, further: object = {}) =>
  api<JwtIntegration>(page, 'POST', '/integrations/jwt', {
    name: 'Customer sign-in',
    publicKey,
    claimKey: 'email',
    claimIndex: 'email',
    ...further,
  });

const open = (page: Page, { id }: JwtIntegration) =>
  page.goto(`/o/${organisation.id}/integrations/jwt/${id}`);

test('the first integration: from the empty state to accepted tokens', async ({
  page,
  expectBrowserError,
}) => {
  expectBrowserError(/400/);
  const issuer = await newIssuer();
  await page.goto(`/o/${organisation.id}/`);
  await page.getByRole('link', { name: 'Integrations' }).click();
  await expect(page.getByRole('heading', { name: 'Authentication' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'No JWT integrations' })).toBeVisible();
  await page.getByRole('button', { name: 'Add a JWT integration' }).click();

  const dialog = page.getByRole('dialog', { name: 'Add a JWT integration' });
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Required')).toHaveCount(3);
  await dialog.getByLabel('Name').fill('Customer sign-in');
  await dialog.getByLabel('Claim key').fill('email');
  await dialog.getByText('Email').click();
  await dialog.getByLabel('Member claim').fill('sub');
  // A private key is refused with words that say so, and nothing typed is lost.
  await dialog.getByLabel('Public key').fill(await exportPKCS8(issuer.privateKey));
  await dialog.getByRole('button', { name: 'Create integration' }).click();
  await expect(dialog.getByText('This is a private key.')).toBeVisible();
  await expect(dialog.getByLabel('Name')).toHaveValue('Customer sign-in');
  await dialog.getByLabel('Public key').fill(issuer.pem);
  await dialog.getByRole('button', { name: 'Create integration' }).click();

  await expect(page).toHaveURL(/\/integrations\/jwt\/jwt_/);
  await expect(page.getByRole('heading', { level: 1, name: 'Customer sign-in' })).toBeVisible();
  await expect(page.getByText('JWT integration created')).toBeVisible();
  const [made] = await api<JwtIntegration[]>(page, 'GET', '/integrations/jwt');
  expect(made).toMatchObject({
    name: 'Customer sign-in',
    claimKey: 'email',
    claimIndex: 'email',
    entityClaimKey: 'sub',
    quickStart: false,
  });
  await expect(page.getByRole('list', { name: 'Trusted keys' })).toHaveText(
    made?.anonymizedPublicKey ?? 'none',
  );

  const token = await tokenFor('ada@example.com', issuer);
  await expect.poll(() => outcome(page, token)).toBe('jwt');
  await page.getByRole('link', { name: 'Integrations' }).first().click();
  await expect(page.getByRole('link', { name: /Customer sign-in/ })).toContainText('email as an email');
});

test('only what was changed is saved, and what somebody else saved meanwhile is shown', async ({
  page,
  expectBrowserError,
}) => {
  await test.step('only what was changed is saved, with the messages of the form', async () => {
    const integration = await makeIntegration(page, (await newIssuer('RS256')).pem);
    await open(page, integration);
    const save = page.getByRole('button', { name: 'Save changes' });
    await expect(save).toBeDisabled();
    await page.getByLabel('Name').fill('ab');
    await save.click();
    await expect(page.getByText('Must be at least 3 characters')).toBeVisible();
    await page.getByLabel('Name').fill('Sign-in of the shop');
    await page.getByLabel('Claim key').fill('user.stripe_id');
    await page.getByText('Stripe customer ID', { exact: true }).click();
    await page.getByLabel('Member claim').fill('sub');
    await page.getByLabel('Audience').fill('shop');
    const sent = page.waitForRequest((request) => request.method() === 'PUT');
    await save.click();
    await expect(page.getByText('JWT integration updated')).toBeVisible();
    expect((await sent).postDataJSON()).toEqual({
      name: 'Sign-in of the shop',
      claimKey: 'user.stripe_id',
      claimIndex: 'stripe_customer_id',
      entityClaimKey: 'sub',
      aud: 'shop',
      updatedAt: integration.updatedAt,
    });
    await expect(page.getByRole('heading', { level: 1, name: 'Sign-in of the shop' })).toBeVisible();
    await expect(save).toBeDisabled();

    await page.getByLabel('Description').fill('half a sentence');
    await page.getByRole('link', { name: 'Features' }).click();
    await expect(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible();
  });
  await organisation.renew(page);
  await test.step('two people: what the other one saved is shown, and nothing typed is lost', async () => {
    expectBrowserError(/409/);
    const integration = await makeIntegration(page, (await newIssuer()).pem);
    await open(page, integration);
    await page.getByLabel('Name').fill('My name for it');
    const path = `/integrations/jwt/${integration.id}`;
    await api(page, 'PUT', path, { name: 'Their name for it', iss: 'https://id.example' });
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByText('was changed by you in another tab in the meantime')).toBeVisible();
    await expect(page.getByText('Their name for it').last()).toBeVisible();
    await expect(page.getByLabel('Name')).toHaveValue('My name for it');
    await expect(page.getByLabel('Issuer')).toHaveValue('https://id.example');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByText('JWT integration updated')).toBeVisible();
    expect(await api(page, 'GET', path)).toMatchObject({ name: 'My name for it', iss: 'https://id.example' });
  });
});

test('the public key is replaced, and a deleted integration is gone, also where it is still open', async ({
  page,
  context,
  expectBrowserError,
}) => {
  await test.step('the public key is replaced after a word on what that ends, and shown anonymised', async () => {
    const [old, next] = await Promise.all([newIssuer(), newIssuer('RS256')]);
    const integration = await makeIntegration(page, old.pem);
    await open(page, integration);
    const keys = page.getByRole('list', { name: 'Trusted keys' });
    await expect(keys).toHaveText(integration.anonymizedPublicKey);
    const oldJwk = { ...(await exportJWK(old.publicKey)), kid: 'old' };
    const nextJwk = { ...(await exportJWK(next.publicKey)), kid: 'next' };
    const update = page.getByRole('button', { name: 'Update public key' });
    await expect(update).toBeDisabled();
    await page.getByLabel('New public key').fill(JSON.stringify({ keys: [oldJwk, nextJwk] }));
    await update.click();
    const dialog = page.getByRole('dialog', { name: 'Replace the public key of Customer sign-in?' });
    await dialog.getByRole('button', { name: 'Update public key' }).click();
    await expect(page.getByText('Public key updated')).toBeVisible();
    await expect(keys.getByRole('listitem')).toHaveCount(2);
    await expect(keys).toContainText('RSA · 2048 bit');
    await expect(page.getByLabel('New public keys')).toHaveValue('');
    await expect.poll(async () => outcome(page, await tokenFor('ada@example.com', next))).toBe('jwt');
  });
  await organisation.renew(page);
  await test.step('a deleted integration is gone, also where it is still open', async () => {
    expectBrowserError(/404/);
    const integration = await makeIntegration(page, (await newIssuer()).pem);
    const other = await context.newPage();
    await open(other, integration);
    await expect(other.getByLabel('Name')).toHaveValue('Customer sign-in');
    await open(page, integration);
    await page.getByRole('button', { name: 'Delete Customer sign-in' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete Customer sign-in?' });
    await expect(dialog).toContainText('are treated as anonymous');
    await dialog.getByLabel('Type Customer sign-in to confirm').fill('Customer sign-in');
    await dialog.getByRole('button', { name: 'Delete Customer sign-in' }).click();
    await expect(page).toHaveURL(/\/integrations$/);
    await expect(page.getByRole('heading', { name: 'No JWT integrations' })).toBeVisible();

    await other.getByLabel('Name').fill('Another name');
    await other.getByRole('button', { name: 'Save changes' }).click();
    await expect(other.getByRole('heading', { name: 'Integration Deleted' })).toBeVisible();
    await other.getByRole('link', { name: 'All integrations' }).click();
    await expect(other).toHaveURL(/\/integrations$/);
  });
});

test('the screens are accessible in both themes and fit a phone', async ({ page }) => {
  await page.goto(`/o/${organisation.id}/integrations`);
  await expect(page.getByRole('heading', { name: 'No JWT integrations' })).toBeVisible();
  await expectAccessible(page, 'the empty list');
  await page.getByRole('button', { name: 'Add a JWT integration' }).click();
  await expect(page.getByRole('dialog').getByLabel('Public key')).toBeVisible();
  await expectAccessible(page, 'the dialog');
  const integration = await makeIntegration(page, (await newIssuer()).pem, { claimKey: 'x'.repeat(100) });
  for (const path of ['', `/jwt/${integration.id}`]) {
    await page.goto(`/o/${organisation.id}/integrations${path}`);
    await expect(page.getByText(integration.anonymizedPublicKey)).toBeVisible();
    await expectAccessible(page, `integrations${path}`);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectFitting(page, `integrations${path}`);
    await page.setViewportSize({ width: 1440, height: 900 });
  }
});
