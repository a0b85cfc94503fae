/** The product as a history uses it: plans, facts, engine and ledgers as the Worker puts them together, with storage in memory. */
import { DEFAULT_POLICY } from '#contracts/console/subscription-policy';
import type { BalanceFacts, CustomerFacts, SubscriptionFacts } from '#contracts/internal/customer-facts';
import type { ReplicationBatch } from '#contracts/internal/ledger';
import type { EnvironmentSnapshot } from '#contracts/internal/snapshot';
import type { Location } from '#contracts/public/locations';
import type { MeterableValue } from '#contracts/public/values';
import { type Count, type Counted, countUsage } from '#engine/access/count-usage';
import type { LedgerRequest, LedgerResult } from '#engine/access/ledger-call';
import { byProperty } from '#engine/access/readings-by-property';
import { compileArtifact, type PlanValueRow } from '#engine/artifacts/compile-artifact';
import { SharedMemory } from '#engine/cache/shared-memory';
import type { SubscriptionRules } from '#engine/entitlements/active-products';
import { anchorWindows } from '#engine/entitlements/anchor-windows';
import { applyFacts } from '#engine/entitlements/apply-facts';
import { evaluateResolution } from '#engine/entitlements/evaluate';
import { factsForEntity } from '#engine/entitlements/facts-for-entity';
import { NO_FACTS } from '#engine/entitlements/no-facts';
import { prepare } from '#engine/entitlements/prepare';
import { withProportionalLimits } from '#engine/entitlements/proportional-limits';
import type { Resolution } from '#engine/entitlements/resolution';
import { entityReadsOf, usageReadsOf } from '#engine/entitlements/usage-reads';
import { accountOf } from '#engine/ledger/account';
import { anchorsOf } from '#engine/ledger/facts-anchors';
import type { MeteredAnswer } from '#engine/metering/read-meter';
import { planRow, propertyRow } from '#engine/tests/small-workspace';
import {
  handoffProgress,
  observeRetirementNotice,
  retireIncarnation,
  retirementNotice,
} from '#objects/ledger/handoff';
import { LocalLedger } from '#objects/ledger/local-ledger';
import { finishAliasMerge, mergeAliasUsage, nextAliasPage } from '#objects/ledger/merge-alias-usage';
import { acknowledgeBatch, nextBatch, receiveBatch } from '#objects/ledger/replication';
import { copyCustomer, handOffRest } from '../ledger/ledger-calls.ts';
import { MemoryStore } from '../ledger/ledger-memory-store.ts';
import type { Subscription } from './reference-plans.ts';
import type { Limit, MeterName, Period, PlanName, Shop, SoldMeter } from './shop.ts';

const CUSTOMER = 'ada';
/** Another name of the customer's, once that is known. */
const ALIAS = 'ada@example.com';
export const ENTITIES = [null, 'user_7', 'user@8'];
const ACCOUNTS = [CUSTOMER, ALIAS].flatMap((name) =>
  ENTITIES.map((each) => accountOf(name, each ?? undefined)),
);
const FEATURE = 'feat_ai';
const METERS: readonly MeterName[] = ['credits', 'chat', 'calls'];
const PLANS: readonly PlanName[] = ['free', 'pro', 'pack'];
const INTEGRATION = 'int_1';

/** What the environment's other parts say of a call. */
type Change = Partial<Count> & Pick<Count, 'enforce'>;
const SEATS = 'prop_seats';

interface Whose {
  readonly entity: string | null;
  /** Under the other name. */
  readonly isAlias?: boolean;
}

export class Product {
  #locations: readonly Location[];
  #generation = 1;
  #isLinked = false;
  facts: CustomerFacts = { ...NO_FACTS, version: 1 };
  readonly #prepared: ReturnType<typeof prepare>;
  readonly #stores = new Map<Location, MemoryStore>();
  readonly #ledgers = new Map<Location, LocalLedger>();
  readonly #snapshot: EnvironmentSnapshot;
  readonly #rules: SubscriptionRules;
  /** That have not heard another one for a while. */
  readonly silent = new Set<Location>();
  #incarnations = 0;

  /** @param all also those that are not enabled */
  constructor(shop: Shop, locations: readonly Location[], all: readonly Location[]) {
    this.#locations = locations;
    this.#prepared = prepare(compileArtifact(workspaceOf(shop)));
    this.#snapshot = {
      ...{ generation: 1, orgId: 'org_1', environmentId: 'env_1', environmentType: 'preview' },
      ...{ locations, artifact: null, keys: [], block: null, hasCustomerFacts: true },
      stripeIntegrationIds: [INTEGRATION],
    };
    this.#rules = {
      environmentType: 'preview',
      subscriptionPolicies: {
        [INTEGRATION]: { ...DEFAULT_POLICY, name: 'Stripe', onPlanChange: shop.onPlanChange },
      },
    };
    for (const location of all) {
      this.#stores.set(location, new MemoryStore());
      this.restart(location, 10_000);
    }
    for (const location of locations) this.#copyFromPeers(location);
  }

  /** The object begins anew, with what it has stored. @param memory in buckets */
  restart(location: Location, memory: number): void {
    const newOrigin = (of: Location) => {
      this.#incarnations += 1;
      return `${of}/${this.#incarnations}`;
    };
    const customerOf = (name: string) => (name === ALIAS && this.#isLinked ? CUSTOMER : undefined);
    const facts = { customerOf, anchorsOf: () => anchorsOf(this.facts) };
    const peers = { isPeerSilent: () => this.silent.has(location) };
    const store = this.storeOf(location);
    this.#ledgers.set(location, new LocalLedger(store, newOrigin, new SharedMemory(memory), facts, peers));
  }

  /** As the first calls of a customer do: from then on, what others count is sent. @returns of whom it has everything */
  #copyFromPeers(location: Location): ReadonlySet<Location> {
    const ledger = this.ledgerOf(location);
    for (const each of this.#locations) {
      const peer = { ledger: this.ledgerOf(each), site: this.siteOf(each) };
      peer.ledger.commit(() => peer.ledger.observe(peer.site));
    }
    const peers = new Set(ACCOUNTS.flatMap((account) => ledger.copies.peersToCopy(account)));
    for (const each of peers)
      for (const account of ACCOUNTS)
        copyCustomer(ledger, account, { ledger: this.ledgerOf(each), site: this.siteOf(each) });
    return peers;
  }

  /**
   * One that is disabled hands all that it has to the others; one that is enabled begins empty, and copies all.
   * @returns who has copied from whom
   */
  setLocations(locations: readonly Location[], now: number): [Location, Location][] {
    const closed = this.#locations.filter((each) => !locations.includes(each));
    this.#locations = locations;
    this.#generation += 1;
    this.silent.clear();
    for (const each of closed) this.#retire(each, now);
    return locations.flatMap((each) =>
      [...this.#copyFromPeers(each)].map((peer): [Location, Location] => [each, peer]),
    );
  }

  #retire(location: Location, now: number): void {
    const ledger = this.ledgerOf(location);
    ledger.commit(() => ledger.observe(this.siteOf(location)));
    const send = (to: Location) => (batch: ReplicationBatch) =>
      acknowledgeBatch(ledger, to, batch, receiveBatch(this.ledgerOf(to), this.siteOf(to), batch, now));
    while (!handoffProgress(ledger).isDrained)
      for (const { location: to } of ledger.state.peers) {
        for (let batch = nextBatch(ledger, to, now); batch !== null; batch = nextBatch(ledger, to, now))
          send(to)(batch);
        handOffRest(ledger, to, now, send(to));
      }
    if (!retireIncarnation(ledger)) throw new Error('It has handed over everything');
    for (const to of this.#locations)
      observeRetirementNotice(this.ledgerOf(to), this.siteOf(to), retirementNotice(ledger));
    ledger.erase(() => true);
  }

  /** From now on the other name is the customer's, in every location. */
  link(): void {
    this.#isLinked = true;
    for (const location of this.#locations) {
      const ledger = this.ledgerOf(location);
      ledger.commit(() => ledger.aliases.set(ALIAS, CUSTOMER));
      for (const alias of ledger.store.unmergedAliases(10)) {
        const { records } = nextAliasPage(ledger, alias, null);
        mergeAliasUsage(ledger, this.siteOf(location), records);
        finishAliasMerge(ledger, alias);
      }
    }
  }

  storeOf(location: Location): MemoryStore {
    return this.#stores.get(location)!;
  }

  ledgerOf(location: Location): LocalLedger {
    return this.#ledgers.get(location)!;
  }

  siteOf(location: Location) {
    const [generation, locations] = [this.#generation, this.#locations];
    return { environmentId: 'env_1', location, shard: 0, generation, locations, leaving: {} };
  }

  /** @throws {Refusal} as the public call */
  async count(
    location: Location,
    meter: MeterName | 'seats',
    { entity, isAlias = false, ...change }: Change & Whose,
    now: number,
  ): Promise<Counted> {
    const resolution = this.#resolutionAt(now, { entity, isAlias });
    const answer = await countUsage(
      {
        ledger: { count: async (_, request) => this.#apply(location, request) },
        snapshot: this.#snapshot,
        resolution,
      },
      { count: { feature: 'ai', property: meter, ...change }, path: '' },
      {
        ...{
          customer: this.#nameOf(isAlias),
          place: { colo: null, country: null } as never,
          isStrict: false,
          now,
        },
        ...(entity !== null && { entity }),
        entityBalances: this.facts.entityBalances,
      },
    );
    if ('outdated' in answer) throw new Error('No other facts are known');
    return answer;
  }

  #apply(location: Location, { customer, entity, updates, reads, now }: LedgerRequest): LedgerResult {
    const call = { site: this.siteOf(location), customer, entity, updates, reads, now };
    const [answer] = this.ledgerOf(location).apply([call]);
    if (answer?.kind !== 'answered') throw new Error(answer?.kind);
    const { outcomes, readings, isWhole } = answer;
    return { location, outcomes, readings, isWhole, factsUpdate: undefined, companions: [] };
  }

  /** As an access check answers them, with what usage is taken from. */
  answers(location: Location, { entity, isAlias = false }: Whose, now: number): Record<MeterName, Answer> {
    const resolution = this.#resolutionAt(now, { entity, isAlias });
    const { reads } =
      entity === null ? usageReadsOf(resolution, undefined) : entityReadsOf(resolution, undefined);
    const customer = this.#nameOf(isAlias);
    const call = { site: this.siteOf(location), customer, updates: [], reads, now };
    const answer = this.ledgerOf(location).read(entity === null ? call : { ...call, entity });
    if (answer.kind !== 'answered') throw new Error(answer.kind);
    const readings = byProperty(reads, answer.readings);
    const beside = { counted: null, isListed: true, ...(entity !== null && { entity }) };
    const { features } = evaluateResolution(resolution, readings, now, beside);
    return features.ai!.properties as never;
  }

  /** What of a balance is neither used nor held, as taking it back reads it. */
  leftOf(location: Location, { id, propertyId, amount }: BalanceFacts, now: number): number {
    const read = { propertyId, meter: { periodType: 'lifetime', uniqueResourceIds: false } } as const;
    const call = { site: this.siteOf(location), customer: CUSTOMER, updates: [], reads: [read], now };
    const answer = this.ledgerOf(location).read(call);
    if (answer.kind !== 'answered') throw new Error(answer.kind);
    return Math.max(0, amount - (answer.readings[0]?.draws?.grants[id] ?? 0));
  }

  #nameOf(isAlias: boolean): string {
    return isAlias && !this.#isLinked ? ALIAS : CUSTOMER;
  }

  #resolutionAt(now: number, { entity, isAlias = false }: Whose): Resolution {
    const own = this.#nameOf(isAlias) === ALIAS ? NO_FACTS : this.facts;
    const facts = factsForEntity(own, entity ?? undefined);
    const given = [this.#prepared, { isAuthenticated: true }, facts, this.#rules, now] as const;
    const applied = applyFacts(...given);
    const resolution = anchorWindows(applied.resolution, facts, this.#rules, now);
    return withProportionalLimits({ ...applied, resolution }, [...given]).resolution;
  }
}

export type Answer = Pick<MeteredAnswer, 'entity' | 'balances'> &
  Partial<
    Pick<MeteredAnswer, 'limit' | 'used' | 'held' | 'remaining' | 'overage' | 'overageLimit' | 'resetsAt'>
  > & {
    readonly state: 'on' | 'off' | 'metered';
  };

export function propertyOf(meter: MeterName): string {
  return `prop_${meter}`;
}

export function subscriptionFacts(
  plan: PlanName,
  { quantity, anchor, trial, former }: Subscription,
): SubscriptionFacts {
  const product = { productId: `prod_${plan}`, priceId: `price_${plan}` };
  return {
    ...{ id: `sub_${plan}`, integrationId: INTEGRATION, livemode: true, anchorAt: anchor },
    productIds: [product.productId],
    items: [{ ...product, quantity, periodStartAt: null, periodEndAt: null }],
    ...(trial === null
      ? { status: 'active' }
      : { status: 'trialing', trialStartAt: trial.from, trialEndAt: trial.to }),
    ...(former.length > 0 && {
      itemsChangedAt: former.at(-1)!.until,
      formerItems: former.map((each) => ({
        until: each.until,
        items: [{ ...product, quantity: each.quantity }],
      })),
    }),
  };
}

function workspaceOf(shop: Shop): Parameters<typeof compileArtifact>[0] {
  const { meters, zone } = shop;
  const planValues = METERS.flatMap((meter) =>
    Object.keys(meters[meter].limits).map(
      (plan): PlanValueRow => ({
        ...{ planId: `plan_${plan}`, featureId: FEATURE, propertyId: propertyOf(meter) },
        value: soldValue(meters[meter], plan as PlanName),
      }),
    ),
  );
  const seats = { limit: 1000, periodType: 'lifetime', uniqueResourceIds: true } as const;
  return {
    features: [{ id: FEATURE, slug: 'ai', name: 'AI', description: null }],
    properties: [
      ...METERS.map((meter) => ({
        ...propertyRow({ id: propertyOf(meter), key: meter, type: 'meterable', value: { state: 'off' } }),
        featureId: FEATURE,
        conflictResolution: meters[meter].rule,
        balanceOpens: meters[meter].balanceOpens,
        ...(meters[meter].costs !== null && {
          costs: { propertyId: propertyOf('credits'), thousandths: meters[meter].costs },
        }),
      })),
      {
        ...propertyRow({
          ...{ id: SEATS, key: 'seats', type: 'meterable' },
          value: { state: 'metered', meter: seats },
        }),
        featureId: FEATURE,
      },
    ],
    plans: PLANS.map((plan) => ({
      ...planRow(`plan_${plan}`, plan, false, plan === 'free'),
      isAddOn: plan === 'pack',
    })),
    planValues,
    planProducts: PLANS.filter((plan) => plan !== 'free').map((plan) => ({
      ...{ planId: `plan_${plan}`, integrationId: INTEGRATION, productId: `prod_${plan}` },
      timesQuantity: plan === 'pack',
    })),
    workflows: [],
    limitOrder: 'limit',
    zone,
  };
}

function soldValue({ limits, planCosts, period }: SoldMeter, plan: PlanName): MeterableValue {
  const [limit, thousandths] = [limits[plan] as Limit | 'on', planCosts[plan]];
  const costs = thousandths === undefined ? {} : { costs: { per: thousandths / 1000 } };
  if (limit === 'on') return { state: 'on', ...costs };
  const { perEntity, rollover, overage, trialLimit } = limit;
  return {
    state: 'metered',
    meter: {
      ...{ limit: limit.limit, ...periodFields(period), uniqueResourceIds: false },
      ...(rollover && { rollover }),
      ...(overage && { overage }),
      ...(trialLimit !== undefined && { trialLimit }),
    },
    ...(perEntity && {
      perEntity: {
        ...{ limit: perEntity.limit, ...periodFields(perEntity.period) },
        ...(perEntity.needsSeat && { seats: SEATS }),
      },
    }),
    ...costs,
  };
}

function periodFields(period: Period) {
  switch (period.kind) {
    case 'lifetime':
      return { periodType: 'lifetime' } as const;
    case 'billing':
      return { periodType: 'billing', periodCount: period.months, periodLength: 'month' } as const;
    default:
      return { periodType: 'rolling', periodCount: 1, periodLength: period.kind } as const;
  }
}
