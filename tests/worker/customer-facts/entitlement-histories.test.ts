// Random histories of grants, overrides, subscriptions with items and quantities, and of plans, links and rules, through the console's
// API and Stripe's events, compared with a plain reference after every round. An organisation of 100 customers has a seed; the first one is
// VITE_HISTORY_SEED (1), and VITE_HISTORIES (100) customers follow. To replay one: VITE_HISTORIES=1 VITE_HISTORY_SEED=<the printed seed>.
import { expect, test } from 'vitest';
import type { Feature } from '#contracts/console/features';
import { identifierSegment } from '#engine/identity/identifier-segment';
import { type Random, randomFrom } from '#lab/fixtures/seeded-random';
import { check } from '#tests/support/access-checks';
import { eventually } from '#tests/support/eventually';
import { connectedTenant } from '#tests/support/stripe-integrations';
import { newTenant, publishAll } from '#tests/support/tenants';
import { createFeature, createPlan, previewOf } from '../../../dev/workspace/build-workspace.ts';
import {
  type CustomerModel,
  type Expected,
  expectedOf,
  type ItemModel,
  type Limit,
  PLANS,
  type PlanModel,
  type PlanSlug,
  propertyValueOf,
  RULES,
  type WorkspaceModel,
} from './entitlement-reference.ts';

const HISTORIES = Number(import.meta.env.VITE_HISTORIES ?? 100);
const FIRST_SEED = Number(import.meta.env.VITE_HISTORY_SEED ?? 1);
/** Each customer of an organisation is one history. */
const CUSTOMERS = 100;
const ROUNDS = 4;

const TIMEOUT_MS = 7_200_000;

test('after any history, checks say what the plain reference says', { timeout: TIMEOUT_MS }, async () => {
  const organisations = Math.ceil(HISTORIES / CUSTOMERS);
  for (let seed = FIRST_SEED; seed < FIRST_SEED + organisations; seed++) await play(seed);
});

async function play(seed: number): Promise<void> {
  const random = randomFrom(seed);
  const world = await World.start(random);
  for (let round = 1; round <= ROUNDS; round++) {
    if (random.next() < 0.6) await world.changeWorkspace();
    await Promise.all(world.customers.map((customer) => world.change(customer, random.fork())));
    await world.settle();
    await world.compare(`VITE_HISTORY_SEED=${seed}, round ${round}`);
  }
}

const someLimit = (random: Random): Limit =>
  random.next() < 0.7 ? random.upTo(50) * 10 : random.pick(['unlimited', 'off'] as const);

type Connected = Awaited<ReturnType<typeof connectedTenant>>;

class World {
  readonly customers: CustomerModel[] = [];
  readonly #random: Random;
  readonly #connected: Connected;
  readonly #workspace: WorkspaceModel;
  readonly #feature: Feature;
  readonly #planIds: Readonly<Record<string, string>>;
  readonly #prices: readonly { readonly price: string; readonly product: string }[];
  readonly #key: string;

  private constructor(parts: {
    random: Random;
    connected: Connected;
    workspace: WorkspaceModel;
    feature: Feature;
    planIds: Readonly<Record<string, string>>;
    prices: readonly { readonly price: string; readonly product: string }[];
    key: string;
  }) {
    this.#random = parts.random;
    this.#connected = parts.connected;
    this.#workspace = parts.workspace;
    this.#feature = parts.feature;
    this.#planIds = parts.planIds;
    this.#prices = parts.prices;
    this.#key = parts.key;
  }

  static async start(random: Random): Promise<World> {
    const tenant = await newTenant();
    const connected = await connectedTenant({ tenant });
    const { account, integration } = connected;
    const [team, seats] = [await account.newProduct('Team'), await account.newProduct('Seats')];
    const yearly = await account.stripe.prices.create({
      product: seats.productId,
      currency: 'gbp',
      unit_amount: 9_000,
      recurring: { interval: 'month' },
    });
    await connected.sync('stripe-product');
    const feature = await createFeature(tenant, {
      name: 'Reports',
      slug: 'reports',
      properties: [
        { name: 'Seats', propertyKey: 'seats', type: 'number', value: 0 },
        { name: 'Calls', propertyKey: 'calls', type: 'meterable', value: { state: 'off' } },
      ],
    });
    const model = (link: PlanModel['link'], isAddOn = false): PlanModel => ({
      isAddOn,
      seats: random.upTo(20),
      calls: someLimit(random),
      link,
    });
    const workspace: WorkspaceModel = {
      plans: {
        team: model({ product: team.productId, price: null, timesQuantity: random.next() < 0.5 }),
        seats: model(
          { product: seats.productId, price: yearly.id, timesQuantity: true },
          random.next() < 0.5,
        ),
        trial: model(null),
      },
      rules: { seats: random.pick(RULES), calls: random.pick(RULES) },
    };
    const planIds: Record<string, string> = {};
    for (const slug of PLANS) {
      const { planId } = await createPlan(tenant, { name: `Plan ${slug}`, slug });
      planIds[slug] = planId;
      const { link, isAddOn } = workspace.plans[slug];
      if (isAddOn) await tenant.make('PUT', `/plans/${planId}`, { isAddOn });
      if (link === null) continue;
      const { product: productId, price, timesQuantity } = link;
      const added = { integrationId: integration.id, productId, version: 1, timesQuantity };
      await tenant.make('PUT', `/plans/${planId}/products`, {
        addProducts: [{ ...added, ...(price === null ? {} : { priceId: price }) }],
      });
    }
    const { value: key } = await tenant.key(await previewOf(tenant));
    const prices = [
      { price: team.priceId, product: team.productId },
      { price: yearly.id, product: seats.productId },
      { price: seats.priceId, product: seats.productId },
    ];
    const world = new World({ random, connected, workspace, feature, planIds, prices, key });
    for (const slug of PLANS) await world.#save(slug);
    await world.#saveRules();
    await publishAll(tenant);
    await world.#addCustomers();
    return world;
  }

  async #addCustomers(): Promise<void> {
    const { stripe } = this.#connected.account;
    const make = async (index: number): Promise<CustomerModel> => {
      const email = `customer-${index}@histories.example`;
      const isAtStripe = index % 5 > 0;
      const identifier = isAtStripe ? (await stripe.customers.create({ email })).id : `user-${index}`;
      const names = isAtStripe ? [identifier, email] : [identifier];
      return { identifier, names, grants: new Map(), overrides: new Map(), subscription: null };
    };
    this.customers.push(...(await Promise.all(Array.from({ length: CUSTOMERS }, (_, index) => make(index)))));
    await this.settle();
  }

  /** Stripe's events have arrived and what was edited is published. */
  async settle(): Promise<void> {
    await this.#connected.deliver();
    await publishAll(this.#connected.tenant);
  }

  async compare(where: string): Promise<void> {
    const expected = this.customers.map((customer) => expectedOf(this.#workspace, customer));
    const names = this.customers.map((customer) => this.#random.pick(customer.names));
    await eventually(async () => {
      const answered: Expected[] = [];
      for (let at = 0; at < names.length; at += 10) {
        const some = names.slice(at, at + 10);
        answered.push(...(await Promise.all(some.map((name) => this.#answerOf(name)))));
      }
      const differing = answered.flatMap((answer, index) =>
        JSON.stringify(answer) === JSON.stringify(expected[index])
          ? []
          : [{ answer, expected: expected[index], customer: this.customers[index] }],
      );
      expect(differing, where).toEqual([]);
    });
  }

  async #answerOf(userIdentifier: string): Promise<Expected> {
    const { customer, features } = await check(this.#key, { userIdentifier });
    const { seats, calls } = features.reports?.properties ?? {};
    const limit = calls as { state: string; limit?: number };
    const words: Readonly<Record<string, Limit>> = { on: 'unlimited', off: 'off' };
    return {
      plans: customer.plans.toSorted(),
      seats: seats as number,
      calls: words[limit.state] ?? limit.limit ?? 'off',
    };
  }

  async changeWorkspace(): Promise<void> {
    const random = this.#random;
    const { plans, rules } = this.#workspace;
    const slug = random.pick(PLANS);
    const plan = plans[slug];
    const { tenant, integration } = this.#connected;
    switch (random.upTo(3)) {
      case 0:
        Object.assign(plan, { seats: random.upTo(20), calls: someLimit(random) });
        return this.#save(slug);
      case 1:
        Object.assign(rules, { seats: random.pick(RULES), calls: random.pick(RULES) });
        return this.#saveRules();
      case 2:
        plan.isAddOn = !plan.isAddOn;
        await tenant.make('PUT', `/plans/${this.#planIds[slug]}`, { isAddOn: plan.isAddOn });
        return;
      default: {
        if (plan.link === null) return;
        plan.link.timesQuantity = !plan.link.timesQuantity;
        const { product: productId, price, timesQuantity } = plan.link;
        const { currentVersion: version } = await tenant.make<{ currentVersion: number }>(
          'GET',
          `/plans/${this.#planIds[slug]}`,
        );
        const changed = { integrationId: integration.id, productId, version, timesQuantity };
        await tenant.make('PUT', `/plans/${this.#planIds[slug]}/products`, {
          addProducts: [{ ...changed, ...(price === null ? {} : { priceId: price }) }],
        });
      }
    }
  }

  async #save(slug: PlanSlug): Promise<void> {
    const { tenant } = this.#connected;
    const { seats, calls } = this.#workspace.plans[slug];
    const path = `/plans/${this.#planIds[slug]}`;
    const { currentVersion } = await tenant.make<{ currentVersion: number }>('GET', path);
    const [enabled] = this.#feature.systemFeatureProperties;
    await tenant.make('PUT', `${path}/versions/${currentVersion}`, {
      properties: {
        [this.#feature.id]: [
          { id: enabled?.id, type: 'boolean', value: true },
          { id: this.#propertyId('seats'), type: 'number', value: seats },
          { id: this.#propertyId('calls'), type: 'meterable', value: propertyValueOf(calls) },
        ],
      },
    });
  }

  async #saveRules(): Promise<void> {
    for (const [key, conflictResolution] of Object.entries(this.#workspace.rules)) {
      const path = `/features/${this.#feature.id}/properties/${this.#propertyId(key)}`;
      await this.#connected.tenant.make('PUT', path, { conflictResolution });
    }
  }

  #propertyId(key: string): string {
    return this.#feature.properties.find(({ propertyKey }) => propertyKey === key)?.id ?? '';
  }

  /** One random change of a customer, or none. */
  async change(customer: CustomerModel, random: Random): Promise<void> {
    const choice = random.next();
    if (choice < 0.2) return this.#grantOrRevoke(customer, random);
    if (choice < 0.4) return this.#override(customer, random);
    if (choice < 0.9 && customer.names.length > 1) return this.#changeSubscription(customer, random);
  }

  async #grantOrRevoke({ identifier, grants }: CustomerModel, random: Random): Promise<void> {
    const { tenant } = this.#connected;
    const slug = random.pick(PLANS);
    const path = `/customers/${identifierSegment(identifier)}/grants`;
    const known = grants.get(slug);
    if (known !== undefined) {
      await tenant.make('DELETE', `${path}/${known}`);
      grants.delete(slug);
      return;
    }
    const why = { environmentId: null, reason: 'Agreed by phone', until: null };
    const { id } = await tenant.make('POST', path, { ...why, planId: this.#planIds[slug] });
    grants.set(slug, id);
  }

  async #override({ identifier, overrides }: CustomerModel, random: Random): Promise<void> {
    const { tenant } = this.#connected;
    const key = random.pick(['seats', 'calls'] as const);
    const path = `/customers/${identifierSegment(identifier)}/overrides`;
    const known = overrides.get(key);
    if (known !== undefined && random.next() < 0.6) {
      await tenant.make('DELETE', `${path}/${known.id}`);
      overrides.delete(key);
      return;
    }
    const value = key === 'seats' ? random.upTo(100) : someLimit(random);
    const { id } = await tenant.make('PUT', path, {
      environmentId: null,
      reason: 'Agreed by phone',
      until: null,
      propertyId: this.#propertyId(key),
      value: key === 'seats' ? value : propertyValueOf(value),
    });
    overrides.set(key, { id, value });
  }

  async #changeSubscription(customer: CustomerModel, random: Random): Promise<void> {
    const { stripe } = this.#connected.account;
    const { subscription } = customer;
    if (subscription === null) {
      const chosen = random.shuffle(this.#prices).slice(0, 1 + random.upTo(2));
      const items = chosen.map(({ price }) => ({ price, quantity: random.upTo(4) }));
      const made = await stripe.subscriptions.create({ customer: customer.identifier, items });
      const stored = made.items.data.map(
        (item): ItemModel => ({
          id: item.id,
          price: item.price.id,
          product: String(item.price.product),
          quantity: item.quantity ?? 1,
        }),
      );
      customer.subscription = { id: made.id, items: stored };
    } else if (random.next() < 0.5) {
      const item = random.pick(subscription.items);
      item.quantity = random.upTo(6);
      await stripe.subscriptionItems.update(item.id, { quantity: item.quantity });
    } else {
      await stripe.subscriptions.cancel(subscription.id);
      customer.subscription = null;
    }
  }
}
