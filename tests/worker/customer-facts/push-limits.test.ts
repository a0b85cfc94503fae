// An organisation with 25 environments in nine data locations, each with 1,024 ledgers, as earlier releases deployed: no invocation makes
// more calls than the platform allows, and every ledger is told.
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { LOCATIONS } from '#contracts/public/locations';
import type {
  CustomerChanged,
  OutboxMessage,
  QueueMessage,
  StripeCustomersChanged,
  StripeSyncAdvanced,
} from '#runtime/messages';
import { expectConsole } from '#tests/support/expect-console';
import { type RecordedLedgers, recordedLedgers } from '#tests/support/recorded-ledgers';
import { connectAccount, putCustomer, someCustomerId } from '#tests/support/stripe-customers';
import { connectedTenant } from '#tests/support/stripe-integrations';
import { newTenant, outboxMessages, type Tenant } from '#tests/support/tenants';
import { openDatabase } from '#worker/db/database';
import { pushChangedCustomers, pushCustomerFacts } from '#worker/domains/customer-facts/push-customer-facts';
import { advanceSync } from '#worker/domains/integrations/stripe/sync/advance-sync';
import { workContext } from '#worker/http/make-work-context';
import { outboxRow } from '#worker/queue/outbox';

const ENVIRONMENTS = 25;
const LEDGERS = ENVIRONMENTS * LOCATIONS.length;
/** Most calls that the pushes of one invocation may make. */
const MAX_CALLS = 1_000;
const NOW = Date.now();

let serial = 0;

async function largeTenant<T extends Tenant>(tenant: T): Promise<T> {
  const { orgId } = tenant;
  await env.DB.prepare('UPDATE organization SET data_locations = ? WHERE id = ?')
    .bind(JSON.stringify(LOCATIONS), orgId)
    .run();
  const { results } = await env.DB.prepare('SELECT id FROM environment WHERE org_id = ?').bind(orgId).all();
  await env.DB.batch(
    Array.from({ length: ENVIRONMENTS - results.length }, (_, index) =>
      env.DB.prepare(
        "INSERT INTO environment (id, org_id, name, type, created_at, updated_at) VALUES (?, ?, ?, 'development', 1, 1)",
      ).bind(`env_${index}_${orgId}`, orgId, `Environment ${index}`),
    ),
  );
  await env.DB.prepare('UPDATE environment SET ledger_shards = 1024 WHERE org_id = ?').bind(orgId).run();
  return tenant;
}

/** Delivers the message and what follows from it, one invocation each. @returns the calls of each */
async function deliverAll(ledgers: RecordedLedgers, first: QueueMessage): Promise<number[]> {
  const counts: number[] = [];
  const waiting = [first];
  for (let message = waiting.shift(); message !== undefined; message = waiting.shift()) {
    ledgers.forgetCalls();
    const ctx = workContext(ledgers.env, Date.now);
    if (message.type === 'customer.changed') await pushCustomerFacts(ctx, message);
    else await pushChangedCustomers(ctx, message as StripeCustomersChanged);
    counts.push(ledgers.calls());
    waiting.push(...ledgers.takeSent());
  }
  return counts;
}

async function insert(message: OutboxMessage): Promise<void> {
  await openDatabase(env.DB).batch([outboxRow(openDatabase(env.DB), message, NOW)] as never);
}

/** Without what else the organisation has yet to publish. */
async function waitingPushes({ orgId }: Tenant): Promise<QueueMessage[]> {
  const messages = await outboxMessages(orgId);
  return messages.filter(({ type }) => type === 'customer.changed' || type === 'stripe.customers-changed');
}

describe('customers of a large organisation', () => {
  let tenant: Tenant;
  let account: string;
  beforeAll(async () => {
    tenant = await largeTenant(await newTenant());
    account = await connectAccount(tenant);
  });

  /** @returns the message of a page of Stripe customers */
  async function pageOf(count: number, email?: string): Promise<StripeCustomersChanged> {
    const page = Array.from({ length: count }, () => {
      serial += 1;
      return { id: someCustomerId(), email: email ?? `large-${serial}@tests.example` };
    });
    for (const each of page) await putCustomer(tenant, { integrationId: account, ...each }, false);
    const message: StripeCustomersChanged = {
      type: 'stripe.customers-changed',
      outboxId: `out_page_${serial}`,
      orgId: tenant.orgId,
      customers: [...new Set(page.flatMap(({ id, email: name }) => [id, name]))],
    };
    await insert(message);
    return message;
  }

  it('are pushed in parts, to every ledger that knows them', async () => {
    const message = await pageOf(3);
    const ledgers = recordedLedgers(() => true);
    const counts = await deliverAll(ledgers, message);
    expect(Math.max(...counts)).toBeLessThanOrEqual(MAX_CALLS);
    expect(ledgers.pushed).toEqual(new Map(message.customers.map((name) => [name, LEDGERS])));
    expect(await waitingPushes(tenant)).toEqual([]);
  });

  it('that share an email are pushed too, after a change in Stripe and after a grant', async () => {
    const email = 'shared@tests.example';
    const message = await pageOf(3, email);
    const ids = message.customers.filter((each) => each !== email);
    const everywhere = new Map([email, ...ids].map((name) => [name, LEDGERS]));
    const ledgers = recordedLedgers(() => true);
    const counts = await deliverAll(ledgers, { ...message, customers: [email] });
    expect(Math.max(...counts)).toBeLessThanOrEqual(MAX_CALLS);
    expect(ledgers.pushed).toEqual(everywhere);

    const granted: CustomerChanged = {
      type: 'customer.changed',
      outboxId: 'out_granted',
      orgId: tenant.orgId,
      environmentId: null,
      customer: email,
    };
    await insert(granted);
    const others = recordedLedgers(() => true);
    const further = await deliverAll(others, granted);
    expect(Math.max(...further)).toBeLessThanOrEqual(MAX_CALLS);
    expect(others.pushed).toEqual(everywhere);
    expect(await waitingPushes(tenant)).toEqual([]);
  });

  it('reach the other data locations while one is cut off, and that one afterwards', async () => {
    const message = await pageOf(2);
    const ledgers = recordedLedgers(() => true);
    ledgers.cutOff('oc');
    expectConsole('warn', /ledgers could not be notified of changed customers/);
    await deliverAll(ledgers, message);
    const reached = LEDGERS - ENVIRONMENTS;
    expect(ledgers.pushed).toEqual(new Map(message.customers.map((name) => [name, reached])));

    const waiting = await waitingPushes(tenant);
    expect(waiting).toEqual([expect.objectContaining({ outboxId: message.outboxId })]);
    ledgers.cutOff(null);
    for (const each of waiting) await deliverAll(ledgers, each);
    expect(ledgers.pushed).toEqual(new Map(message.customers.map((name) => [name, reached + LEDGERS])));
    expect(await waitingPushes(tenant)).toEqual([]);
  });

  it('are not pushed twice by a part that came twice', async () => {
    const message = await pageOf(2);
    const ledgers = recordedLedgers(() => false);
    const first = async () => {
      await pushChangedCustomers(workContext(ledgers.env, Date.now), message);
      return ledgers.takeSent();
    };
    const [next, ...none] = [...(await first()), ...(await first())];
    expect(none).toEqual([]);
    if (next === undefined) throw new Error('There is no further part');
    await deliverAll(ledgers, next);
    expect(await waitingPushes(tenant)).toEqual([]);
  });
});

it('a sync of a large organisation stays within the calls of an invocation, and the rest is pushed by messages', async () => {
  const connected = await connectedTenant();
  const { account, path } = connected;
  const tenant = await largeTenant(connected.tenant);
  await account.seed({ count: 3 });
  const lost = vi.spyOn(env.SYNC_QUEUE, 'send').mockResolvedValue(undefined as never);
  await tenant.make('POST', `${path}/sync-jobs`, { type: 'stripe-customer' });
  lost.mockRestore();
  const ledgers = recordedLedgers(() => true);
  const sync = (await outboxMessages(tenant.orgId)).filter(({ type }) => type === 'stripe.sync-advanced');
  for (const message of sync)
    await advanceSync(workContext(ledgers.env, Date.now), message as StripeSyncAdvanced);
  expect(ledgers.calls()).toBeLessThanOrEqual(MAX_CALLS);
  expect((await connected.read()).syncJobs).toMatchObject([{ status: 'finished', processed: 3 }]);
  for (const message of ledgers.takeSent()) {
    expect(Math.max(...(await deliverAll(ledgers, message)))).toBeLessThanOrEqual(MAX_CALLS);
  }
  expect([...ledgers.pushed.values()]).toEqual(Array.from({ length: 6 }, () => LEDGERS));
  expect(await waitingPushes(tenant)).toEqual([]);
});
