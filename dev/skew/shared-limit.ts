// A customer of a Stripe account whose quantity changes within a billing period, where each limit counts for its share of the period.
import type { StripeEmulator } from '@tessera/stripe-emulator/start-stripe-emulator';
import Stripe from 'stripe';
import type { Feature } from '#contracts/console/features';
import { stripeIntegrationEndpoints } from '#contracts/console/stripe';
import { DEFAULT_POLICY } from '#contracts/console/subscription-policy';
import type { Meter } from '#contracts/public/values';
import type { ApiSession } from '../workspace/api-session.ts';
import { createPlan, type Workspace } from '../workspace/build-workspace.ts';
import { connectStripe, linkProducts, waitForSync } from '../workspace/connect-stripe.ts';

/** Of one, large enough that a second of a month can be seen in it. */
const EACH = 1_000_000_000;
export const SHARED = 'shared';
const BEFORE = 1;
const AFTER = 3;

const METER: Meter = {
  ...{ limit: EACH, periodType: 'billing', periodCount: 1, periodLength: 'month' },
  uniqueResourceIds: false,
};

export class SharedLimit {
  /** cus_… */
  readonly customer: string;
  readonly #client: Stripe;
  readonly #itemId: string;

  private constructor(client: Stripe, customer: string, itemId: string) {
    this.#client = client;
    this.customer = customer;
    this.#itemId = itemId;
  }

  /** Subscribes, and has a plan with the limit times the quantity. @param feature with a property `shared` */
  static async create(
    emulator: StripeEmulator,
    workspace: Workspace<ApiSession>,
    feature: Feature,
  ): Promise<SharedLimit> {
    const { session, orgId } = workspace;
    const { secretKey } = emulator.control.createAccount({ name: 'Skew', givesCards: true });
    const { hostname, port } = new URL(emulator.url);
    const httpClient = Stripe.createFetchHttpClient();
    const client = new Stripe(secretKey, {
      protocol: 'http',
      host: hostname,
      port,
      telemetry: false,
      httpClient,
    });
    const product = await client.products.create({
      name: 'Paid',
      default_price_data: { currency: 'gbp', unit_amount: 1000, recurring: { interval: 'month' } },
    });
    const { id: customer } = await client.customers.create({ email: 'shares@skew.example' });
    const items = [{ price: String(product.default_price), quantity: BEFORE }];
    const subscription = await client.subscriptions.create({ customer, items });
    const integrationId = await connectStripe(workspace, { secretKey });
    for (const type of ['stripe-product', 'stripe-customer'] as const)
      await waitForSync(workspace, integrationId, type);
    await session.call(stripeIntegrationEndpoints.update, {
      params: { orgId, integrationId },
      body: { subscriptionPolicy: { ...DEFAULT_POLICY, onPlanChange: 'proportional' } },
    });
    const values = { [feature.slug]: { [SHARED]: { state: 'metered', meter: METER } } } as const;
    const plan = await createPlan(workspace, { name: 'Paid', slug: 'paid', values }, [feature]);
    await linkProducts(workspace, plan, integrationId, [product.id], true);
    return new SharedLimit(client, customer, subscription.items.data[0]?.id ?? '');
  }

  async changeQuantity(): Promise<void> {
    await this.#client.subscriptionItems.update(this.#itemId, { quantity: AFTER });
  }

  /** Whether both quantities have their share. @param limit as a check answers it */
  isShared(limit: number): boolean {
    return limit > BEFORE * EACH && limit < AFTER * EACH;
  }

  isFirst(limit: number): boolean {
    return limit === BEFORE * EACH;
  }
}
