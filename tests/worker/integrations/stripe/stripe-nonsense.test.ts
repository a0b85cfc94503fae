// Malformed responses in place of Stripe's: no data is lost, no work loops forever, and the console shows the
// error.
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { SyncJob } from '#contracts/console/stripe';
import type { ErrorBody } from '#contracts/public/errors';
import { newStripeAccount, type StripeAccount } from '#tests/support/stripe';
import {
  type ConnectedTenant,
  connectedTenant,
  expectSameAsStripe,
} from '#tests/support/stripe-integrations';
import { deliver, newTenant, outboxMessages, type Tenant } from '#tests/support/tenants';

afterEach(() => vi.restoreAllMocks());

const NONSENSE: readonly (readonly [string, string, number])[] = [
  ['a page of a proxy', '<html><body>Bad gateway</body></html>', 200],
  ['half an answer', '{"object":"list","data":[{"id":"cus_', 200],
  ['nothing', '', 200],
  ['null', 'null', 200],
  ['a list', '[]', 200],
  ['an empty object', '{}', 200],
  ['a list without its objects', '{"object":"list","has_more":true}', 200],
  ['a failure without words', '{}', 500],
  ['a failure in HTML', '<h1>Oops</h1>', 503],
  ['a refusal without words', 'no', 400],
];

/** Answers every request to Stripe with this response. */
function answerWith(body: string, status: number) {
  const real = globalThis.fetch;
  return vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const url = String(input instanceof Request ? input.url : input);
    return url.startsWith(`${env.STRIPE_API_BASE}/v1/`)
      ? Promise.resolve(new Response(body, { status, headers: { 'content-type': 'application/json' } }))
      : real(input, init);
  });
}

let newcomer: Tenant;
let unconnected: StripeAccount;
let connected: ConnectedTenant;

beforeAll(async () => {
  [newcomer, unconnected, connected] = await Promise.all([
    newTenant(),
    newStripeAccount(),
    connectedTenant({ webhook: false }),
  ]);
  await connected.account.seed({ count: 3 });
  await connected.sync();
});

describe.each(NONSENSE)('%s', (_, body, status) => {
  it('connects nothing, and is not a server error', async () => {
    const { secretKey } = unconnected.keys;
    const fetches = answerWith(body, status);
    const answer = await newcomer.call<ErrorBody>('POST', '/integrations/stripe', { secretKey });
    expect(fetches).toHaveBeenCalled();
    expect([400, 503]).toContain(answer.status);
    expect(JSON.stringify(answer.body)).not.toContain(secretKey);
    expect(await newcomer.make('GET', '/integrations/stripe')).toEqual([]);
  });

  it('delays or fails a sync with an error message, and loses no customer', async () => {
    const { tenant, path } = connected;
    await env.DB.prepare("UPDATE stripe_sync_job SET status = 'failed' WHERE org_id = ?")
      .bind(tenant.orgId)
      .run();
    const lost = vi.spyOn(env.SYNC_QUEUE, 'send').mockResolvedValue(undefined as never);
    await tenant.make<SyncJob>('POST', `${path}/sync-jobs`, { type: 'stripe-customer' });
    const fetches = answerWith(body, status);
    await deliver('tessera-sync', await outboxMessages(tenant.orgId));
    fetches.mockRestore();
    lost.mockRestore();
    const { lastSyncJobReport: job } = await connected.read();
    expect(job?.error).toMatch(/Stripe/);
    expect(job?.status === 'failed' || job?.waitsUntil).toBeTruthy();
    await expectSameAsStripe(connected);
  });
});
