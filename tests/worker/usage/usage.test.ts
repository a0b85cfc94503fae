// The usage that the console shows is what was recorded in this calendar month.
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import { dayOf, monthOf } from '#engine/usage/calendar';
import { someEvents } from '#lab/fixtures/recorded-events';
import { newOrganisation, type SignedIn, signedIn } from '#tests/support/accounts';
import { recordEvent } from '#worker/domains/events/record-event';

let ada: SignedIn;
let orgId: string;

beforeAll(async () => {
  ada = await signedIn();
  orgId = (await newOrganisation(ada)).orgId;
});

const usage = (periodType: string, of = orgId) => ada.fetch(`/api/orgs/${of}/usage/periods/${periodType}`);

it('an organisation without events has no usage', async () => {
  const response = await usage('day');
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ items: [], hasUsage: false });
});

it('usage is counted by day, environment and type since the start of the month, with errors separate', async () => {
  const now = Date.now();
  const lastMonth = monthOf(now) - 1;
  const context = createExecutionContext();
  for (const event of [
    ...someEvents(12, () => ({ time: now })),
    ...someEvents(3, () => ({ time: now, envId: 'env_two', type: 'cu' as const })),
    ...someEvents(4, () => ({ time: now, isError: true })),
    ...someEvents(5, () => ({ time: lastMonth })),
  ]) {
    recordEvent(env, context, orgId, 'weur', event);
  }
  await waitOnExecutionContext(context);
  expect(await (await usage('day')).json()).toEqual({
    items: [
      { type: 'ac', environment: 'env_one', total: 12, periodStartAt: dayOf(now) },
      { type: 'cu', environment: 'env_two', total: 3, periodStartAt: dayOf(now) },
    ],
    hasUsage: true,
  });
});

it('an organisation that was used in an earlier month has usage', async () => {
  const other = await newOrganisation(ada);
  const context = createExecutionContext();
  const lastMonth = monthOf(Date.now()) - 1;
  for (const event of someEvents(1, () => ({ time: lastMonth }))) {
    recordEvent(env, context, other.orgId, 'weur', event);
  }
  await waitOnExecutionContext(context);
  expect(await (await usage('day', other.orgId)).json()).toEqual({ items: [], hasUsage: true });
});

it.each(['month', 'hour', 'DAY', '__proto__'])('the period type %s is refused', async (periodType) => {
  const response = await usage(periodType);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ issues: [{ path: 'periodType' }] });
});

it("another organisation's usage is not found", async () => {
  const theirs = await newOrganisation(await signedIn());
  expect((await usage('day', theirs.orgId)).status).toBe(404);
});
