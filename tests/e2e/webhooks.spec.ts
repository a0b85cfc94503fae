// Webhooks, end to end: added with a secret, tested, told of a deployment, sent again, disabled and deleted, against a receiver on this machine.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { expectAccessible } from './support/expect-accessible.ts';
import { expectFitting } from './support/expect-fitting.ts';
import { ownOrganisation } from './support/own-organisation.ts';
import { smallWorkspace } from './support/small-workspace.ts';
import { expect, test } from './support/test.ts';

const organisation = ownOrganisation('Wanda Webhooks', 'Hook Works');

interface Received {
  readonly headers: Record<string, string>;
  readonly body: string;
}

let receiver: Server;
let url: string;
let received: Received[];
let status: number;

test.beforeEach(async () => {
  [received, status] = [[], 200];
  receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      received.push({ headers: request.headers as Record<string, string>, body });
      response.writeHead(status).end(status === 200 ? 'Thanks' : 'Out of order');
    });
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
});
test.afterEach(() => void receiver.close());

test('added, tested, told of a deployment that fails, sent again, disabled and deleted', async ({
  page,
  expectBrowserError,
}) => {
  expectBrowserError(/400/);
  await page.goto(`/o/${organisation.id}/`);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Webhooks' }).click();
  await expect(page.getByRole('heading', { name: 'No webhooks yet' })).toBeVisible();
  await expectAccessible(page, 'no webhooks');
  await page.getByRole('button', { name: 'Add webhook' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a webhook' });
  await dialog.getByLabel('Address').fill('http://192.168.0.1/hooks');
  await dialog.getByText('Only selected').first().click();
  const events = dialog.getByRole('group', { name: 'Events selected' }).getByRole('checkbox');
  for (const event of await events.all()) {
    await expect(event).toBeChecked();
    await event.uncheck();
  }
  await dialog.getByRole('button', { name: 'Add webhook' }).click();
  await expect(dialog.getByText('Choose at least one event')).toBeVisible();
  await dialog.getByRole('checkbox', { name: 'environment.deployed' }).check();
  await dialog.getByRole('button', { name: 'Add webhook' }).click();
  await expect(dialog.getByText('The address must begin with https://')).toBeVisible();
  await expectAccessible(page, 'the dialog');
  await dialog.getByLabel('Address').fill(url);
  await dialog.getByRole('button', { name: 'Add webhook' }).click();

  const secret = (await page.getByTestId('webhook-secret').textContent()) ?? '';
  await expectAccessible(page, 'the new secret');
  await page.getByRole('link', { name: 'Open webhook' }).click();
  await expect(page.getByRole('heading', { level: 1, name: url })).toBeVisible();
  await page.getByRole('button', { name: 'Send test event' }).click();
  const result = page.getByRole('status', { name: 'Result of the test' });
  await expect(result).toContainText('Delivered');
  await expect(result).toContainText('Thanks');
  const { headers, body } = received[0]!;
  expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type: 'webhook.test' });

  status = 500;
  const works = smallWorkspace(page, organisation.id);
  await works.fill();
  const production = await works.makeEnvironment('Production');
  await works.deploy(production, await works.freeze());
  const rows = page.getByRole('list', { name: 'Deliveries' }).getByRole('listitem');
  const deployed = rows.filter({ hasText: 'environment.deployed' });
  await expect(deployed).toContainText(/Retrying.*Production.*500 in/);
  await deployed.getByRole('button').first().click();
  await expect(deployed).toContainText('"isRollback": false');
  await expect(deployed).toContainText('Out of order');
  await expect(page.getByText('Deliveries fail')).toBeVisible();
  await expectAccessible(page, 'the log');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectFitting(page, 'the log');
  await page.setViewportSize({ width: 1440, height: 900 });

  // What a disabled webhook misses has failed, and is sent once it is enabled.
  await page.getByRole('button', { name: 'Disable' }).click();
  await page.getByRole('button', { name: 'Disable webhook' }).click();
  await expect(page.getByText('This webhook is disabled')).toBeVisible();
  await expect(deployed).toContainText('Failed');
  await expect(deployed.getByRole('button', { name: 'Resend' })).toBeDisabled();
  status = 200;
  await page.getByRole('button', { name: 'Enable webhook' }).click();
  await expect(page.getByText('This webhook is disabled')).toHaveCount(0);
  await page.getByRole('button', { name: 'Resend failed' }).click();
  await expect(deployed).toContainText(/Delivered.*200 in/);
  const before = received.length;
  await deployed.getByRole('button', { name: 'Resend' }).click();
  await expect.poll(() => received.length).toBe(before + 1);
  expect(new Webhook(secret).verify(received[before]!.body, received[before]!.headers)).toMatchObject({
    type: 'environment.deployed',
  });
  await page.getByText('Failed', { exact: true }).click();
  await expect(page.getByText('No failed deliveries.')).toBeVisible();

  await page
    .getByRole('navigation', { name: 'Webhook', exact: true })
    .getByRole('link', { name: 'Manage' })
    .click();
  await page.getByRole('button', { name: 'Delete webhook' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete webhook' }).click();
  await expect(page.getByRole('heading', { name: 'No webhooks yet' })).toBeVisible();
});

test('edited beside a colleague, and its secret revealed and replaced while both sign', async ({
  page,
  expectBrowserError,
}) => {
  expectBrowserError(/409/);
  const { id, secret } = await organisation.api<{ id: string; secret: string }>(page, 'POST', '/webhooks', {
    url,
  });
  await page.goto(`/o/${organisation.id}/webhooks/${id}/manage`);
  await page.getByLabel('Description').fill('Refreshes our caches');
  await organisation.api(page, 'PUT', `/webhooks/${id}`, { environmentIds: null, url: `${url}/2` });
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByLabel('Address')).toHaveValue(`${url}/2`);
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Webhook updated')).toBeVisible();

  await page.getByRole('button', { name: 'Reveal' }).click();
  await expect(page.getByText(secret)).toBeVisible();
  await page.getByRole('button', { name: 'Replace secret' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Replace secret' }).click();
  await expect(page.getByTestId('webhook-secret')).toHaveText(/^whsec_/);
  await expect(page.getByText(/^Both secrets sign until/)).toBeVisible();
  const renewed = (await page.getByTestId('webhook-secret').textContent()) ?? '';
  expect(renewed).not.toBe(secret);
  await expectAccessible(page, 'the settings');
  await organisation.api(page, 'POST', `/webhooks/${id}/test`);
  for (const each of [secret, renewed]) {
    expect(new Webhook(each).verify(received[0]!.body, received[0]!.headers)).toBeTruthy();
  }
});
