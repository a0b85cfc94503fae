// A batch is many checks in one request: each is recorded, limited and billed by itself, and what they need is read together.

import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AccessChecksAnswer } from '#contracts/public/access';
import { eventOf, recordedEvent } from '#tests/support/call-events';
import { countedEnv } from '#tests/support/counted-env';
import { type DocumentedWorkspace, documentedWorkspace } from '#tests/support/documented-workspace';
import { eventually } from '#tests/support/eventually';
import { expectConsole } from '#tests/support/expect-console';
import { publicRequest } from '#tests/support/public-requests';
import { workflowTenant } from '#tests/support/workflows';
import { eventIdOf } from '#worker/domains/access/calls/record-call';
import worker from '#worker/index';

const EXPORTS = { feature: 'data-exports', property: 'exports' };

let workspace: DocumentedWorkspace;
beforeAll(async () => {
  workspace = await documentedWorkspace();
});

const { env, counts } = countedEnv();

async function post(path: string, body: unknown, key = workspace.keys.secret, headers = {}) {
  const context = createExecutionContext();
  const response = await worker.fetch(publicRequest(path, key, body, headers), env, context);
  await waitOnExecutionContext(context);
  return { response, body: await response.json<AccessChecksAnswer>() };
}

const batch = (checks: readonly unknown[], key?: string, features?: readonly string[]) =>
  post('access-checks/batch', { features, checks }, key);

/** Calls of ledgers and of D1 that the work makes. */
async function callsOf(work: () => Promise<unknown>): Promise<{ ledgers: number; d1: number }> {
  const before = { ...counts };
  await work();
  return { ledgers: counts.ledgers - before.ledgers, d1: counts.d1 - before.d1 };
}

describe('a batch of access checks', () => {
  it('records each check as a call of its own, as it would have been sent alone, without its token', async () => {
    const checks = [
      { userIdentifier: 'bulk-1@example.com', context: { page: '/members' } },
      { userJwt: workspace.token },
      { userIdentifier: 'bulk-1@example.com', consume: EXPORTS },
    ];
    const { body } = await batch(checks, undefined, ['dashboards']);
    const requests = [
      { ...checks[0], features: ['dashboards'] },
      { userJwt: '[redacted]', features: ['dashboards'] },
      null,
    ];
    for (const [index, { requestId, status }] of body.results.entries()) {
      const event = await recordedEvent(workspace.tenant, requestId);
      expect(event).toMatchObject({
        type: 'ac',
        isError: status === 'error',
        request: requests[index],
        response: { requestId },
      });
    }
    expect(await eventOf(workspace.tenant, body.requestId)).toBeNull();
    const explained = `/events/${eventIdOf(body.results[0]!.requestId)}/explanation`;
    expect(await workspace.tenant.call('GET', explained)).toMatchObject({ status: 200 });
  });

  it('takes a call of the key’s limit for each check, and refuses those beyond it', async () => {
    const { tenant } = workspace;
    const key = await tenant.key(await tenant.previewId());
    await tenant.make('PUT', `/api-keys/${key.id}`, { rateLimit: 60 });
    await expect
      .poll(async () => (await batch([{}], key.value)).response.headers.get('ratelimit-limit'))
      .toBe('60');
    const { response, body } = await batch(new Array(100).fill({}), key.value);
    const refused = body.results.flatMap((each) => (each.status === 'error' ? [each.errorType] : []));
    expect([...new Set(refused)]).toEqual(['rate-limited']);
    expect(refused.length).toBeGreaterThan(39);
    expect(body.results.slice(0, -refused.length).every(({ status }) => status === 'success')).toBe(true);
    expect(response.headers.get('ratelimit-remaining')).toBe('0');
    const { response: after } = await batch([{}], key.value);
    expect(after.status).toBe(429);
  });

  it('reads usage and facts together: no more than its checks would alone, and once known, once for each ledger', async () => {
    const users = Array.from({ length: 60 }, (_, index) => ({
      userIdentifier: `together-${index}@example.com`,
    }));
    const alone = await callsOf(async () => {
      for (const { userIdentifier } of users.slice(0, 20))
        await post('access-checks', { userIdentifier: `alone-${userIdentifier}` });
    });
    const first = await callsOf(() => batch(users));
    expect(first.d1).toBeLessThan(users.length);
    expect(first.ledgers / users.length).toBeLessThan(alone.ledgers / 20);
    const again = await callsOf(() => batch([...users, ...users.slice(0, 40)]));
    expect(again.d1).toBe(0);
    expect(again.ledgers).toBeLessThanOrEqual(16);
  });

  it('answers what a check alone answers, also for customers whose facts change and who are named twice', async () => {
    const { tenant } = workspace;
    const userIdentifier = 'grace@example.com';
    await post('counter-updates', { ...EXPORTS, userIdentifier, by: 7 });
    const asked = [{ userIdentifier }, { userIdentifier: 'cus_NffrFeUfNV2Hib' }, { userIdentifier }, {}];
    const compare = async () => {
      const { body } = await batch(asked);
      for (const [index, check] of asked.entries()) {
        const { body: alone } = await post('access-checks', check);
        expect(comparable(body.results[index])).toEqual(comparable(alone));
      }
      return body.results[0];
    };
    expect(await compare()).toMatchObject({
      features: { 'data-exports': { properties: { exports: { used: 7 } } } },
    });
    const free = workspace.freePlanId;
    const grant = { planId: free, environmentId: null, reason: 'A pilot customer', until: null };
    await tenant.make('POST', '/customers/cus_NffrFeUfNV2Hib/grants', grant);
    await eventually(async () =>
      expect(await compare()).toMatchObject({
        customer: { plans: expect.arrayContaining(['free', 'team']) },
      }),
    );
  });

  it('answers with the last usage known, or says that it is unknown, where no ledger answers', async () => {
    const cut = countedEnv();
    cut.failLedgers(new Error('Cut off: ledgers'));
    expectConsole('warn', /usage could not be read/);
    const context = createExecutionContext();
    const response = await worker.fetch(
      publicRequest('access-checks/batch', workspace.keys.secret, {
        checks: [{ userIdentifier: 'cut-off-1' }, { userIdentifier: 'cut-off-2' }, {}],
      }),
      cut.env,
      context,
    );
    const { results } = await response.json<AccessChecksAnswer>();
    await waitOnExecutionContext(context);
    const codes = results.map((each) => each.status === 'success' && each.warnings.map(({ code }) => code));
    expect(codes).toEqual([['usage-unknown'], ['usage-unknown'], []]);
  });

  it('runs workflows in each check, with its context', async () => {
    const acme = await workflowTenant();
    await acme.create('By context', 'export default ({ context }) => context.beta === true ? ["pro"] : []');
    await acme.publish();
    const checks = Array.from({ length: 25 }, (_, index) => ({ context: { beta: index % 2 === 1 } }));
    const { body } = await batch(checks, acme.key);
    expect(
      body.results.map((each) => each.status === 'success' && each.customer.plans.includes('pro')),
    ).toEqual(checks.map(({ context }) => context.beta));
  });
});

const comparable = (answer: unknown) => ({
  ...(answer as object),
  requestId: null,
  asOf: null,
  validUntil: null,
});
