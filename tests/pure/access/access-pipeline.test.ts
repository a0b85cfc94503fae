// The decision core of access checks and counter updates, with plain objects in place of cache, database, ledger and workflows.
import { describe, expect, it } from 'vitest';
import type { CallerFacts, CustomerFacts, FactsUpdate } from '#contracts/internal/customer-facts';
import type { EnvironmentSnapshot } from '#contracts/internal/snapshot';
import { warningOf } from '#contracts/public/warnings';
import type { AccessEffects, FactsPush, WorkflowRuns } from '#engine/access/access-effects';
import { runAccessPipeline } from '#engine/access/access-pipeline';
import type { AccessRequest, AccessResult } from '#engine/access/access-request';
import type { Usage, UsageRequest } from '#engine/access/ledger-call';
import { compileArtifact } from '#engine/artifacts/compile-artifact';
import { AppliedFactsCache } from '#engine/entitlements/applied-facts-cache';
import { NO_FACTS } from '#engine/entitlements/no-facts';
import { prepare } from '#engine/entitlements/prepare';
import type { Readings } from '#engine/entitlements/render-features';
import { propertyRow, SMALL } from '#engine/tests/small-workspace';
import { LedgerUnavailable } from '#worker/domains/metering/call-ledger';

const NOW = 1_000;
const ALIAS = 'ada@tests.example';
const CUSTOMER = 'cus_Ada';
const prepared = prepare(compileArtifact(SMALL));
const lifetime = { limit: 100, periodType: 'lifetime', uniqueResourceIds: false } as const;
const WITH_SECOND_METER = {
  ...SMALL,
  properties: [
    ...SMALL.properties,
    propertyRow({
      id: 'prop_total',
      key: 'total',
      type: 'meterable',
      value: { state: 'metered', meter: lifetime },
    }),
  ],
};
const place = {
  country: null,
  city: null,
  continent: null,
  latitude: null,
  longitude: null,
  colo: null,
};

const granted = (version: number): CustomerFacts => ({
  ...NO_FACTS,
  version,
  grants: [{ planId: 'plan_pro', until: null }],
});
const stripe = (version: number): CustomerFacts => ({
  ...granted(version),
  stripe: {
    integrationId: 'int_1',
    customerId: CUSTOMER,
    email: ALIAS,
    isNamedByEmail: true,
    subscriptions: [],
  },
});
const alias = (version: number): CustomerFacts => ({
  ...NO_FACTS,
  version,
  aliasOf: { integrationId: 'int_1', customerId: CUSTOMER },
});

function requestOf(
  more: Partial<AccessRequest> = {},
  snapshot: Partial<EnvironmentSnapshot> = {},
): AccessRequest {
  return {
    loaded: {
      snapshot: {
        generation: 1,
        orgId: 'org_1',
        environmentId: 'env_1',
        environmentType: 'preview',
        locations: ['weur'],
        artifact: null,
        keys: [],
        block: null,
        hasCustomerFacts: true,
        stripeIntegrationIds: ['int_1'],
        ...snapshot,
      },
      prepared,
      featureSlugs: ['analytics'],
      confirmedAt: NOW,
      isUnconfirmed: false,
      workflowCode: null,
      appliedFacts: new AppliedFactsCache(),
    },
    keyType: 'secret',
    place,
    now: NOW,
    userIdentifier: 'ada',
    ...more,
  };
}

/** A ledger answers what `answers` returns for the customer and the facts of the caller. */
class World {
  readonly cached = new Map<string, CustomerFacts>();
  readonly stored = new Map<string, CustomerFacts>();
  readonly steps: string[] = [];
  readonly calls: { customer: string; facts: CallerFacts | undefined }[] = [];
  readonly pushed: FactsPush[] = [];
  isDatabaseDown = false;
  workflows: WorkflowRuns | null = null;
  /** Readings in the isolate's memory. */
  remembered: Readings | null = null;
  /** The last readings, of any age. */
  last: Readings = new Map();
  /** Facts in memory that were not confirmed recently. */
  readonly stale = new Map<string, CustomerFacts>();
  readonly recalled: { customer: string; version: number | undefined }[] = [];
  answers: (customer: string, facts: CallerFacts | undefined) => Partial<Usage> | FactsUpdate | undefined =
    () => undefined;

  effects(): AccessEffects {
    return {
      facts: {
        getCached: (_environment, customer) => this.cached.get(customer) ?? NO_FACTS,
        recall: (_environment, customer) => {
          const fresh = this.cached.get(customer);
          const facts = fresh ?? this.stale.get(customer);
          return facts && { facts, isStale: fresh === undefined };
        },
        cache: (_environment, customer, facts) => this.cached.set(customer, facts),
        load: async (_snapshot, customer) => {
          this.steps.push(`load ${customer}`);
          return this.isDatabaseDown ? null : (this.stored.get(customer) ?? NO_FACTS);
        },
      },
      ledger: {
        recall: (_snapshot, { customer, facts }) => {
          this.recalled.push({ customer, version: facts?.version });
          return this.remembered;
        },
        recallLast: () => this.last,
        read: async (_snapshot, { customer, facts }: UsageRequest): Promise<Usage> => {
          this.steps.push(`read ${customer}`);
          this.calls.push({ customer, facts });
          const answer = this.answers(customer, facts);
          const usage: Usage = { readings: new Map(), location: 'weur', warnings: [] };
          return answer !== undefined && 'kind' in answer
            ? { ...usage, factsUpdate: answer }
            : { ...usage, ...answer };
        },
        count: () => Promise.reject(new Error('not used')),
        pushFacts: async (_snapshot, push) => {
          this.steps.push(`push ${push.customer}`);
          this.pushed.push(push);
        },
      },
      workflows: { has: ({ content }) => content.workflows.length > 0, start: () => this.workflows },
    };
  }

  async run(request: AccessRequest): Promise<AccessResult & { codes: string[] }> {
    const result = await runAccessPipeline(this.effects(), request);
    return { ...result, codes: result.warnings.map(({ code }) => code) };
  }
}

/** Answers as a ledger that knows these facts. */
const knowing =
  (facts: Record<string, CustomerFacts>): World['answers'] =>
  (customer, caller) => {
    const known = facts[customer];
    if (known === undefined || caller === undefined) return undefined;
    return known.version > caller.version ? { kind: 'newer', facts: known } : undefined;
  };

describe('the access pipeline', () => {
  it('is synchronous for an anonymous check, and needs no effect', () => {
    const world = new World();
    const result = runAccessPipeline(world.effects(), requestOf({ userIdentifier: undefined }));
    expect(result).not.toBeInstanceOf(Promise);
    expect((result as AccessResult).subject.resolution?.planSlugs).toEqual(['free']);
    expect(world.steps).toEqual([]);
  });

  it('is synchronous for a bounded check whose readings are remembered, and asks the ledger otherwise', async () => {
    const world = new World();
    world.cached.set('ada', granted(3));
    world.answers = knowing({ ada: granted(3) });
    world.remembered = new Map([['prop_exports', { used: 7 }]]);
    const result = runAccessPipeline(world.effects(), requestOf({ consistency: 'bounded' }));
    expect(result).not.toBeInstanceOf(Promise);
    expect((result as AccessResult).usage).toEqual({ readings: world.remembered, location: null });
    expect(world.recalled).toEqual([{ customer: 'ada', version: 3 }]);
    expect(world.steps).toEqual([]);
    for (const consistency of ['local', 'strict', undefined] as const) {
      await world.run(requestOf({ consistency }));
    }
    world.remembered = null;
    await world.run(requestOf({ consistency: 'bounded' }));
    expect(world.steps).toEqual(Array.from({ length: 4 }, () => 'read ada'));
  });

  it('calls the ledger once when it confirms the cached facts', async () => {
    const world = new World();
    world.cached.set('ada', granted(3));
    world.answers = knowing({ ada: granted(3) });
    const { subject } = await world.run(requestOf());
    expect(subject.resolution?.planSlugs).toEqual(['free', 'pro']);
    expect(world.calls).toEqual([{ customer: 'ada', facts: { version: 3, loaded: undefined } }]);
  });

  it('resolves again with the newer facts of a ledger, and reads again when other meters are needed', async () => {
    const world = new World();
    world.answers = knowing({ ada: granted(3) });
    const { subject, codes } = await world.run(requestOf());
    expect(subject.resolution?.planSlugs).toEqual(['free', 'pro']);
    expect(world.calls.map(({ facts }) => facts?.version)).toEqual([0, 3]);
    expect(world.cached.get('ada')).toEqual(granted(3));
    expect(codes).toEqual([]);
  });

  it('uses the readings it has when newer facts need the same meters', async () => {
    const world = new World();
    world.cached.set('ada', granted(2));
    world.answers = knowing({ ada: granted(3) });
    await world.run(requestOf());
    expect(world.calls).toHaveLength(1);
  });

  it('loads facts that the ledger does not know, and sends them with its token', async () => {
    const world = new World();
    world.stored.set('ada', granted(4));
    world.answers = (_customer, facts) =>
      facts?.loaded === undefined ? { kind: 'unknown', token: 'token_1' } : undefined;
    const { subject } = await world.run(requestOf());
    expect(subject.resolution?.planSlugs).toEqual(['free', 'pro']);
    expect(world.steps).toEqual(['read ada', 'load ada', 'read ada']);
    expect(world.calls[1]?.facts).toEqual({ version: 4, loaded: { token: 'token_1', facts: granted(4) } });
  });

  it('follows an alias to its customer, after the ledger of the alias has the facts', async () => {
    const world = new World();
    world.stored.set(ALIAS, alias(5));
    world.answers = (customer, facts) =>
      customer === ALIAS
        ? { kind: 'unknown', token: 'token_2' }
        : knowing({ [CUSTOMER]: stripe(6) })(customer, facts);
    const { subject } = await world.run(requestOf({ userIdentifier: ALIAS }));
    expect(subject).toMatchObject({ customer: CUSTOMER, facts: stripe(6) });
    expect(world.steps.slice(0, 3)).toEqual([`read ${ALIAS}`, `load ${ALIAS}`, `push ${ALIAS}`]);
    expect(world.pushed).toMatchObject([{ customer: ALIAS, loaded: { token: 'token_2', facts: alias(5) } }]);
    world.steps.length = 0;
    await world.run(requestOf({ userIdentifier: ALIAS }));
    expect(world.steps).toEqual([`read ${CUSTOMER}`]);
  });

  it('gives up an alias that the customer contradicts', async () => {
    const world = new World();
    world.cached.set(ALIAS, alias(5));
    const renamed: CustomerFacts = {
      ...stripe(7),
      stripe: { ...stripe(7).stripe!, email: 'new@tests.example' },
    };
    world.answers = knowing({ [CUSTOMER]: renamed });
    world.stored.set(ALIAS, { ...NO_FACTS, version: 7, aliasOf: null });
    const { subject } = await world.run(requestOf({ userIdentifier: ALIAS }));
    expect(subject).toMatchObject({ customer: ALIAS, resolution: { planSlugs: ['free'] } });
    expect(world.steps).toEqual([`read ${CUSTOMER}`, `load ${ALIAS}`, `read ${ALIAS}`]);
  });

  it('answers with a warning when facts are unknown and the database is down', async () => {
    const world = new World();
    world.isDatabaseDown = true;
    world.answers = (_customer, facts) => (facts === undefined ? undefined : { kind: 'unknown', token: 't' });
    const { subject, codes } = await world.run(requestOf());
    expect(subject.resolution?.planSlugs).toEqual(['free']);
    expect(codes).toEqual(['customer-facts-unknown']);
    expect(world.calls.at(-1)?.facts).toBeUndefined();
  });

  it('uses facts of the last day, with a warning, when a ledger does not know them and the database is down', async () => {
    const world = new World();
    world.isDatabaseDown = true;
    world.stale.set('ada', granted(3));
    world.answers = (_customer, facts) => (facts === undefined ? undefined : { kind: 'unknown', token: 't' });
    const { subject, codes } = await world.run(requestOf());
    expect(subject.resolution?.planSlugs).toEqual(['free', 'pro']);
    expect(codes).toEqual(['customer-facts-stale']);
  });

  it('stops after eight rounds, and then asks without facts', async () => {
    const world = new World();
    let version = 0;
    world.answers = (_customer, facts) =>
      facts === undefined ? undefined : { kind: 'unknown', token: `token_${++version}` };
    await world.run(requestOf());
    expect(world.calls).toHaveLength(9);
    expect(world.calls.at(-1)?.facts).toBeUndefined();
  });

  it('warns of a Stripe id that no connected account has, and not when the caller has the facts', async () => {
    const world = new World();
    const request = requestOf({ userIdentifier: CUSTOMER });
    expect((await world.run(request)).codes).toEqual(['customer-not-found']);
    const known = { identifier: CUSTOMER, customer: CUSTOMER, facts: granted(1) };
    const result = await world.run({ ...request, known });
    expect(result.codes).toEqual([]);
    expect(result.subject.resolution?.planSlugs).toEqual(['free', 'pro']);
    expect(world.calls.at(-1)?.facts).toBeUndefined();
  });
});

describe('without a ledger', () => {
  const outage: World['answers'] = () => ({
    location: null,
    failure: new LedgerUnavailable({ updates: [] }),
  });
  const overload: World['answers'] = () => ({
    location: null,
    failure: new LedgerUnavailable({ updates: [] }, true),
  });

  it('a check uses the last facts in memory, with a warning, and does not ask the database', async () => {
    const world = new World();
    world.answers = outage;
    world.stale.set('ada', granted(3));
    const { codes, usage, subject } = await world.run(requestOf());
    expect(subject.resolution?.planSlugs).toEqual(['free', 'pro']);
    expect(codes).toEqual(['customer-facts-stale', 'usage-unknown']);
    expect(usage).toEqual({ readings: new Map(), location: null });
    expect(world.steps).toEqual(['read ada']);
    expect(world.cached.size).toBe(0);
  });

  it('facts that were confirmed recently need no warning', async () => {
    const world = new World();
    world.answers = outage;
    world.cached.set('ada', granted(3));
    const { codes, subject } = await world.run(requestOf());
    expect(subject.resolution?.planSlugs).toEqual(['free', 'pro']);
    expect(codes).toEqual(['usage-unknown']);
  });

  it('the database says the facts that are not in memory, once for each customer, also that there are none', async () => {
    const world = new World();
    world.answers = outage;
    world.stored.set('ada', granted(3));
    const { codes, subject } = await world.run(requestOf());
    expect(subject.resolution?.planSlugs).toEqual(['free', 'pro']);
    expect(codes).toEqual(['usage-unknown']);
    await world.run(requestOf({ userIdentifier: 'bob' }));
    world.steps.length = 0;
    for (const userIdentifier of ['ada', 'bob']) await world.run(requestOf({ userIdentifier }));
    expect(world.steps).toEqual(['read ada', 'read bob']);
  });

  it('without facts in memory and in the database, the warning says that they are unknown', async () => {
    const world = new World();
    world.answers = outage;
    world.isDatabaseDown = true;
    const { codes, subject } = await world.run(requestOf());
    expect(subject.resolution?.planSlugs).toEqual(['free']);
    expect(codes).toEqual(['customer-facts-unknown']);
  });

  it.each(['memory', 'the database'])('an alias leads to its customer: from %s', async (from) => {
    const world = new World();
    world.answers = outage;
    const facts = from === 'memory' ? world.stale : world.stored;
    facts.set(ALIAS, alias(5));
    facts.set(CUSTOMER, stripe(6));
    const { subject } = await world.run(requestOf({ userIdentifier: ALIAS }));
    expect(subject).toMatchObject({ customer: CUSTOMER, facts: stripe(6) });
  });

  it('facts of an account that is gone are not used', async () => {
    const world = new World();
    world.answers = outage;
    world.stale.set(CUSTOMER, stripe(6));
    world.stored.set(CUSTOMER, { ...NO_FACTS, version: 7 });
    const request = requestOf({ userIdentifier: CUSTOMER }, { stripeIntegrationIds: [] });
    expect((await world.run(request)).subject.resolution?.planSlugs).toEqual(['free']);
  });

  it('an id that no account had yesterday is not said to be unknown', async () => {
    const world = new World();
    world.answers = outage;
    world.stale.set(CUSTOMER, granted(3));
    const { codes } = await world.run(requestOf({ userIdentifier: CUSTOMER }));
    expect(codes).not.toContain('customer-not-found');
  });

  it.each([
    ['in an outage', outage],
    ['with an overloaded ledger', overload],
  ])('the last readings are used %s, with a warning', async (_when, answers) => {
    const world = new World();
    world.answers = answers;
    world.cached.set('ada', granted(3));
    world.last = new Map([['prop_exports', { used: 7 }]]);
    const { codes, usage } = await world.run(requestOf());
    expect(usage).toEqual({ readings: world.last, location: null });
    expect(codes).toEqual(['usage-stale']);
  });

  it('a meter without an earlier reading is unused, and the warnings say both', async () => {
    const world = new World();
    world.answers = outage;
    world.cached.set('ada', granted(3));
    const request = requestOf();
    const loaded = { ...request.loaded, prepared: prepare(compileArtifact(WITH_SECOND_METER)) };
    world.last = new Map([['prop_exports', { used: 7 }]]);
    const { codes, usage } = await world.run({ ...request, loaded });
    expect(usage?.readings).toEqual(world.last);
    expect(codes).toEqual(['usage-stale', 'usage-unknown']);
    world.answers = overload;
    await expect(world.run({ ...request, loaded })).rejects.toMatchObject({ status: 503 });
  });

  it('the last usage of what is on or off decides nothing', async () => {
    const world = new World();
    world.answers = outage;
    world.cached.set('ada', granted(3));
    world.last = new Map([['prop_other', { used: 7 }]]);
    const { codes, usage } = await world.run(requestOf());
    expect(usage).toEqual({ readings: new Map(), location: null });
    expect(codes).toEqual(['usage-unknown']);
  });

  it('and without earlier readings, a check is unavailable if the ledger is overloaded', async () => {
    const world = new World();
    world.answers = overload;
    world.cached.set('ada', granted(3));
    await expect(world.run(requestOf())).rejects.toMatchObject({
      status: 503,
      detail: { headers: { 'retry-after': '1' } },
    });
    const known = { identifier: 'ada', customer: 'ada', facts: granted(3) };
    await expect(world.run(requestOf({ known }))).rejects.toMatchObject({ status: 503 });
  });
});

describe('workflows', () => {
  const workflowsOf = (world: World): WorkflowRuns => ({
    executions: [],
    elapsedMs: 7,
    async provision({ facts }) {
      world.steps.push(`provision ${facts.version}`);
      return { plans: [{ plans: ['pro'], mode: 'replace' }], warnings: [warningOf('usage-incomplete')] };
    },
    async behave(_subject, resolution) {
      world.steps.push(`behave ${resolution.planSlugs.join()}`);
      return {
        overrides: [{ propertyId: 'prop_seats', value: 42, source: 'workflow seats' }],
        warnings: [warningOf('usage-unknown')],
      };
    },
  });

  const workflow = {
    id: 'wf_1',
    name: 'Seats',
    type: 'dynamic-provisioning',
    featureId: null,
    source: '',
    compiled: '',
  } as const;
  const withWorkflows = (more: Partial<AccessRequest> = {}): AccessRequest => {
    const request = requestOf(more);
    const content = { ...prepared.content, workflows: [workflow] };
    return { ...request, loaded: { ...request.loaded, prepared: { ...prepared, content } } };
  };

  it('run provision before the ledger and again with newer facts, and behave once, last', async () => {
    const world = new World();
    world.workflows = workflowsOf(world);
    const override = { propertyId: 'prop_seats', value: 7, until: null };
    world.answers = knowing({ ada: { ...NO_FACTS, version: 3, overrides: [override] } });
    const { subject, codes } = await world.run(withWorkflows());
    expect(world.steps).toEqual(['provision 0', 'read ada', 'provision 3', 'behave pro']);
    expect(subject.resolution?.planSlugs).toEqual(['pro']);
    expect(subject.resolution?.choices.map(({ value }) => value)).toContain(42);
    expect(codes).toEqual(['usage-incomplete', 'usage-unknown']);
  });

  it('run for anonymous subjects too, without a ledger', async () => {
    const world = new World();
    world.workflows = workflowsOf(world);
    const { subject, workflowsMs } = await world.run(withWorkflows({ userIdentifier: undefined }));
    expect(workflowsMs).toBe(7);
    expect(world.steps).toEqual(['provision 0', 'behave pro']);
    expect(subject.resolution?.planSlugs).toEqual(['pro']);
  });

  it('are not started in an environment without any', () => {
    const world = new World();
    world.workflows = workflowsOf(world);
    expect(runAccessPipeline(world.effects(), requestOf({ userIdentifier: undefined }))).not.toBeInstanceOf(
      Promise,
    );
    expect(world.steps).toEqual([]);
  });
});

it('counting is refused for anonymous subjects and public keys', () => {
  const count = {
    kind: 'consume',
    count: { feature: 'analytics', property: 'exports', enforce: true },
    idempotencyHeader: null,
  } as const;
  const run = (more: Partial<AccessRequest>) => () =>
    runAccessPipeline(new World().effects(), requestOf({ count, ...more }));
  expect(run({ keyType: 'public' })).toThrow('requires a secret key');
  expect(run({ userIdentifier: undefined })).toThrow(/anonymous session has no usage|consume/);
});
