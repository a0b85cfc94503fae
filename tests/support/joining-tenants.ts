// A tenant whose customers are created by API and pay at Stripe: an account names them by the metadata key `workspace`.
import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import type { CustomerList } from '#contracts/console/customer-list';
import type { PlanSummary } from '#contracts/console/plans';
import { check } from './access-checks.ts';
import { update } from './counter-updates.ts';
import { eventually } from './eventually.ts';
import { ofFiles } from './paying-tenants.ts';
import { type Made, type Provisioner, provisioner } from './provisioning.ts';
import { type ConnectedTenant, connectedTenant } from './stripe-integrations.ts';
import { publishAll } from './tenants.ts';

interface AtStripe {
  readonly metadata?: Record<string, string>;
  readonly email?: string;
  readonly name?: string;
}

interface NewAtStripe extends AtStripe {
  /** For the plan Pro. True unless said otherwise. */
  readonly pays?: boolean;
}

export interface JoiningTenant extends Provisioner {
  readonly connected: ConnectedTenant;
  /** @returns the Stripe customer's id */
  newStripeCustomer(given: NewAtStripe): Promise<string>;
  /** With a name, an email and a subscription. */
  named(email: string, metadata?: Record<string, string>, name?: string): Promise<string>;
  changeStripeCustomer(id: string, given: AtStripe): Promise<void>;
  deleteStripeCustomer(id: string): Promise<void>;
  /** Creates or changes a customer. */
  save(name: string, body?: object): Promise<Made>;
  /** What a call says of the Stripe customer; null takes it back. */
  joinTo(customerId: string | null): object;
  use(userIdentifier: string, by: number): ReturnType<typeof update>;
  answerOf(userIdentifier: string): Promise<Answer>;
  plansOf(userIdentifier: string): Promise<string[]>;
  /** Whom the console lists for a search. */
  listedFor(query: string): Promise<string[]>;
  /** Customers that the plan Plus's summary counts. */
  plusCount(): Promise<number | undefined>;
}

interface Answer {
  readonly plans: string[];
  readonly used: number | undefined;
  readonly seats: unknown;
  readonly warnings: string[];
}

let serial = 0;
export const newName = () => `ws-${++serial}`;

export async function joiningTenant(): Promise<JoiningTenant> {
  const own = await provisioner();
  const { tenant, secret } = own;
  const connected = await connectedTenant({ tenant });
  const { stripe } = connected.account;
  const { priceId: price } = (await connected.sell({ Pro: own.proId })).Pro;
  await tenant.make('PUT', connected.path, { userIdKey: 'workspace' });
  await eventually(async () => expect((await connected.read()).userIdsReady).toBe(true));
  await publishAll(tenant);
  const newStripeCustomer = async ({ metadata = {}, pays = true, ...given }: NewAtStripe) => {
    const { id } = await stripe.customers.create({ metadata, ...given });
    if (pays) await stripe.subscriptions.create({ customer: id, items: [{ price }] });
    await connected.deliver();
    return id;
  };
  const answerOf = async (userIdentifier: string) => {
    const { customer, features, warnings } = await check(secret, { userIdentifier });
    const { files, seats } = features.workspaces!.properties;
    return {
      plans: customer.plans.toSorted(),
      used: (files as { used?: number }).used,
      seats,
      warnings: warnings.map(({ code }) => code),
    };
  };
  return {
    ...own,
    connected,
    newStripeCustomer,
    answerOf,
    named: (email, metadata = {}, name = `Person ${email}`) => newStripeCustomer({ metadata, email, name }),
    async changeStripeCustomer(id, given) {
      await stripe.customers.update(id, given);
      await connected.deliver();
    },
    async deleteStripeCustomer(id) {
      await stripe.customers.del(id);
      await connected.deliver();
    },
    async save(name, body = {}) {
      const { status, body: made } = await own.manage('PUT', `/${name}`, body);
      expect([status, made.message]).toEqual([200, undefined]);
      return made;
    },
    joinTo: (customerId) => ({
      stripe: customerId === null ? null : { integrationId: connected.integration.id, customerId },
    }),
    use: (userIdentifier, by) => update(secret, ofFiles(userIdentifier, { by })),
    plansOf: async (userIdentifier) => (await answerOf(userIdentifier)).plans,
    async listedFor(query) {
      const path = `/customers?query=${encodeURIComponent(query)}`;
      const { items } = await tenant.make<CustomerList>('GET', path);
      return items.map(({ identifier }) => identifier).toSorted();
    },
    async plusCount() {
      const summaries = await tenant.make<PlanSummary[]>('GET', '/plan-summaries');
      return summaries.find(({ planId }) => planId === own.plusId)?.customerCount;
    },
  };
}

/** What the log says of a created customer's joins, the first first. */
export async function joinsLogged({ tenant }: JoiningTenant, name: string) {
  const { results } = await env.DB.prepare(
    `SELECT action, coalesce(detail ->> 'customerId', detail ->> '$.customerIds[0]') AS id, detail ->> 'by' AS reason FROM audit_log
      WHERE org_id = ? AND target_id = ? AND action IN ('customer.joined', 'customer.separated') ORDER BY audit_log.at, audit_log.id`,
  )
    .bind(tenant.orgId, name)
    .all<{ action: string; id: string; reason: string | null }>();
  return results.map(({ action, id, reason }) => [action, id, reason]);
}
