// Inserts Stripe customers as webhooks would, and pushes their facts to the ledgers.
import { env } from 'cloudflare:workers';
import { and, eq } from 'drizzle-orm';
import type { StoredSubscription } from '#contracts/console/stripe';
import { commit, openDatabase } from '#worker/db/database';
import { customer } from '#worker/db/schema/customers';
import { stripeCustomer } from '#worker/db/schema/stripe';
import { knownCustomerStatements } from '#worker/domains/customer-facts/known-customers';
import {
  takeFactsVersion,
  factsVersion as versionOf,
} from '#worker/domains/customer-facts/next-facts-version';
import { pushChangedCustomers } from '#worker/domains/customer-facts/push-customer-facts';
import { workContext } from '#worker/http/make-work-context';
import { storedIntegration } from './stripe-rows.ts';
import { deliver, type Tenant } from './tenants.ts';

type Row = typeof stripeCustomer.$inferSelect;
type Org = Pick<Tenant, 'orgId'>;

let serial = 0;

export function someCustomerId(): string {
  serial += 1;
  return `cus_Test${serial}x${crypto.randomUUID().slice(0, 8)}`;
}

/** An account is connected, and all environments know it. @returns the integration's id */
export async function connectAccount(tenant: Org, livemode = false): Promise<string> {
  const id = await storedIntegration(tenant, livemode);
  await publishEnvironments(tenant);
  return id;
}

/** Metadata under this key of the organisation's accounts names customers, as once all rows are renewed. */
export async function nameByMetadata({ orgId }: Org, key = 'workspace'): Promise<void> {
  await env.DB.prepare('UPDATE stripe_integration SET user_id_key = ?, user_ids_ready = 1 WHERE org_id = ?')
    .bind(key, orgId)
    .run();
}

/** As deleting leaves it at first: the customers' rows are still there. */
export async function disconnectAccount(tenant: Org, id: string): Promise<void> {
  await env.DB.prepare('UPDATE stripe_integration SET deleted_at = ? WHERE id = ?')
    .bind(Date.now(), id)
    .run();
  await publishEnvironments(tenant);
}

async function publishEnvironments({ orgId }: Org): Promise<void> {
  await env.DB.prepare('UPDATE environment SET generation = generation + 1 WHERE org_id = ?')
    .bind(orgId)
    .run();
  const { results } = await env.DB.prepare('SELECT id FROM environment WHERE org_id = ?')
    .bind(orgId)
    .all<{ id: string }>();
  await deliver(
    'tessera-publish',
    results.map(({ id: environmentId }) => ({
      type: 'environment.changed',
      outboxId: `out_${environmentId}`,
      orgId,
      environmentId,
    })),
  );
}

export interface SeededCustomer {
  readonly integrationId: string;
  readonly id: string;
  readonly email?: string | null;
  readonly userId?: string | null;
  readonly name?: string;
  readonly livemode?: boolean;
  readonly subscriptions?: readonly StoredSubscription[];
  readonly createdAt?: number;
  readonly deletedAt?: number | null;
}

/** Writes the customer as Stripe now has it; what is not given stays as it was. */
export async function putCustomer({ orgId }: Org, seeded: SeededCustomer, isTold = true): Promise<void> {
  const db = openDatabase(env.DB);
  const { integrationId, id } = seeded;
  const isIt = and(eq(stripeCustomer.integrationId, integrationId), eq(stripeCustomer.id, id));
  const [before] = await db.select().from(stripeCustomer).where(isIt);
  const now = Date.now();
  const row: Omit<Row, 'factsVersion'> = {
    email: null,
    name: null,
    livemode: false,
    userId: null,
    metadata: {},
    subscriptions: [],
    ended: null,
    createdAt: now,
    deletedAt: null,
    readAt: now,
    emailSince: seeded.createdAt ?? now,
    emailRole: 'undecided',
    emailRoleAt: now,
    ...before,
    ...seeded,
    orgId,
  };
  if (before !== undefined && before.email !== row.email) {
    Object.assign(row, { emailSince: now, emailRole: 'undecided', emailRoleAt: now });
  }
  const names = [id, before?.email, row.email, before?.userId, row.userId].flatMap((name) => name ?? []);
  const factsVersion = versionOf(orgId);
  await commit(db, [takeFactsVersion(db, orgId, now)]);
  const former = before?.email ?? null;
  if (former !== null && former !== row.email) {
    await db
      .insert(customer)
      .values({ orgId, identifier: former, factsVersion, createdAt: 0, updatedAt: now })
      .onConflictDoUpdate({ target: [customer.orgId, customer.identifier], set: { factsVersion } });
  }
  await db
    .insert(stripeCustomer)
    .values({ ...row, factsVersion })
    .onConflictDoUpdate({
      target: [stripeCustomer.integrationId, stripeCustomer.id],
      set: { ...row, factsVersion },
    });
  await commit(
    db,
    knownCustomerStatements(
      db,
      orgId,
      [
        { identifier: id, ...(row.deletedAt === null && { email: row.email, name: row.name }) },
        ...(former === null ? [] : [{ identifier: former }]),
      ],
      now,
    ),
  );
  if (!isTold) return;
  await pushChangedCustomers(workContext(env, Date.now), {
    type: 'stripe.customers-changed',
    outboxId: `out_${id}`,
    orgId,
    customers: [...new Set(names)],
  });
}

/** Subscribed to a product. */
export function subscribed(
  productId: string,
  status: StoredSubscription['status'] = 'active',
): StoredSubscription {
  return { id: `sub_${productId.slice('prod_'.length)}`, status, productIds: [productId] };
}
