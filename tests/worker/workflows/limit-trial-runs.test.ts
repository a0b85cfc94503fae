// Code that is not deployed runs within limits of its organisation: by its members 30 times a minute, and 300 different codes a day.
import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import type { Workflow } from '#contracts/console/workflows';
import { DAY_MS } from '#engine/durations';
import { dayOf } from '#engine/usage/calendar';
import { sha256Hex } from '#runtime/hash';
import { newTenant, type Tenant } from '#tests/support/tenants';
import { workflowInput } from '#tests/support/workflows';
import { openDatabase } from '#worker/db/database';
import { workflowTrialCode } from '#worker/db/schema/workflow-tests';
import {
  forgetTrialCodes,
  limitTrialCode,
  MAX_TRIAL_CODES,
} from '#worker/domains/workflows/limit-trial-runs';
import { workContext } from '#worker/http/make-work-context';

const db = openDatabase(env.DB);
const CODE = "export default () => ['pro']";

let tenant: Tenant;
let workflow: Workflow;

beforeAll(async () => {
  tenant = await newTenant();
  workflow = await newWorkflow(tenant);
});

const newWorkflow = (of: Tenant) =>
  of.make<Workflow>('POST', '/workflows', { name: 'Trial', type: 'dynamic-provisioning' });
const run = (of: Tenant, { id }: Workflow, code: object = { compiled: CODE }) =>
  of.call<Record<string, unknown>>('POST', `/workflows/${id}/runs`, { input: workflowInput(), ...code });
const count = (of: Tenant, now: number, hash: string) =>
  limitTrialCode(
    workContext(env, () => now),
    of,
    hash,
  ).then(
    () => true,
    ({ errorType }: { errorType: string }) => errorType,
  );

async function fill(of: Tenant, now: number, codes: number): Promise<void> {
  const numbers = JSON.stringify(Array.from({ length: codes }, (_, index) => index));
  await db.run(sql`INSERT INTO ${workflowTrialCode} (org_id, day_at, hash)
    SELECT ${of.orgId}, ${dayOf(now)}, 'code ' || value FROM json_each(${numbers})`);
}

test('a member who runs code more than 30 times a minute is refused, and the message says so', async () => {
  // The calls may be in two minutes.
  const answers = await Promise.all(Array.from({ length: 61 }, () => run(tenant, workflow)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
  expect(answers.find(({ status }) => status === 429)?.body).toMatchObject({
    errorType: 'rate-limited',
    message: 'An organisation can run code 30 times a minute. Try again in a minute.',
  });
  const other = await newTenant();
  expect((await run(other, await newWorkflow(other))).status).toBe(200);
});

test('what runs is counted once a day, whether it was sent or saved', async () => {
  const other = await newTenant();
  const own = await newWorkflow(other);
  await run(other, own);
  await other.make('PUT', `/workflows/${own.id}`, { source: CODE, compiled: CODE });
  await run(other, own, {});
  const rows = await db.select().from(workflowTrialCode).where(sql`org_id = ${other.orgId}`);
  expect(rows.map(({ hash }) => hash)).toEqual([await sha256Hex(CODE)]);
  await fill(other, Date.now(), MAX_TRIAL_CODES - 1);
  expect(await run(other, own, { compiled: `${CODE} // new` })).toMatchObject({
    status: 429,
    body: { message: expect.stringContaining('300 different codes a day') },
  });
  expect((await run(other, own)).status).toBe(200);
});

test('of codes that come at once, no more than the day allows are accepted; one of today always is', async () => {
  const other = await newTenant();
  const now = Date.now();
  await fill(other, now, MAX_TRIAL_CODES - 2);
  const answers = await Promise.all([1, 2, 3, 4, 5].map((code) => count(other, now, `new ${code}`)));
  expect(answers.filter((answer) => answer === true)).toHaveLength(2);
  expect(answers.filter((answer) => answer === 'rate-limited')).toHaveLength(3);
  expect(await count(other, now, 'code 7')).toBe(true);
  expect(await count(other, now + DAY_MS, 'new 6')).toBe(true);
});

test('the schedule forgets the codes of earlier days', async () => {
  const other = await newTenant();
  const now = Date.now();
  await fill(other, now - DAY_MS, 3);
  await count(other, now, 'today');
  await forgetTrialCodes(workContext(env, () => now));
  const rows = await db.select().from(workflowTrialCode).where(sql`org_id = ${other.orgId}`);
  expect(rows).toMatchObject([{ hash: 'today' }]);
});
