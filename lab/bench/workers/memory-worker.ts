// The real Worker with replicas and ledgers that answer for as many organisations and customers as asked for, so that every cache of the
// isolate fills. POST /bench/fill makes the checks of one part; POST /bench/ledgers counts in real ledgers; POST /bench/snapshots keeps
// what an isolate makes of snapshots, and says what that is weighed as.
import type {
  CustomerFacts,
  StripeFacts,
  SubscriptionFacts,
  SubscriptionItemFacts,
} from '#contracts/internal/customer-facts';
import type { LedgerAnswer, LedgerQuery } from '#contracts/internal/ledger';
import type { EnvironmentSnapshot } from '#contracts/internal/snapshot';
import { API_KEY_RANDOM_BYTES, formatApiKey } from '#engine/identity/api-key';
import { newSigner } from '#lab/fixtures/tokens';
import { ledgerStub } from '#objects/stubs';
import { sha256Hex } from '#runtime/hash';
import type { QueueMessage } from '#runtime/messages';
import tessera from '#worker/development';
import { bytesOf, type LoadedEnvironment, load } from '#worker/domains/snapshots/snapshot-cache';
import type { Env } from '#worker/env';
import {
  artifactOf,
  LARGE_FEATURES,
  MANY_METERS,
  METER_PLANS,
  METER_PROPERTIES,
  METERS,
  manyMeters,
  SMALL_FEATURES,
} from './large-artifact.ts';
import type { FillOrder, SnapshotOrder } from './messages.ts';

export { EnvironmentReplica, EventStream, Ledger, PasswordHasher } from '#worker/development';

const ORG = 'org_00000000000000000000000001';
const LOCATION = 'weur';
/** A check that takes more than its budget keeps nothing. */
const CHECKS_AT_ONCE = 4;
const BUCKETS_PER_CALL = 100;

let signer: ReturnType<typeof newSigner> | null = null;
const snapshots = new Map<string, Promise<EnvironmentSnapshot>>();

export default {
  ...tessera,
  async fetch(request, env, context) {
    const { pathname } = new URL(request.url);
    if (pathname === '/bench/fill') return fill(env, context, await request.json());
    if (pathname === '/bench/snapshots') return keepSnapshots(await request.json());
    if (pathname === '/bench/ledgers') return fillLedger(env, await request.json());
    return tessera.fetch(request, env, context);
  },
} satisfies ExportedHandler<Env, QueueMessage>;

async function fill(env: Env, context: ExecutionContext, order: FillOrder): Promise<Response> {
  const own = withoutObjects(env);
  let calls: Promise<void>[] = [];
  for (let number = order.from; number < order.to; number += 1) {
    calls.push(check(own, context, order.part, number));
    if (calls.length < CHECKS_AT_ONCE) continue;
    await Promise.all(calls);
    calls = [];
  }
  await Promise.all(calls);
  snapshots.clear();
  return Response.json({ checks: order.to - order.from });
}

/** On a busy machine a check may run out of time: then it is made again. */
async function check(
  env: Env,
  context: ExecutionContext,
  part: FillOrder['part'],
  number: number,
  attempt = 1,
): Promise<void> {
  const request = new Request('http://bench/api/v1/access-checks', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${keyOf(environmentOf(part, number))}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(await bodyOf(part, number)),
  });
  const response = await tessera.fetch(request as never, env, context);
  const text = await response.text();
  if (response.ok && text.includes('"warnings":[]')) return;
  if (attempt === 10) throw new Error(`${part} ${number}: ${response.status} ${text.slice(0, 500)}`);
  await check(env, context, part, number, attempt + 1);
}

async function bodyOf(part: FillOrder['part'], number: number): Promise<object> {
  const userIdentifier = `${part}-customer-${number}@example.com`;
  if (part === 'organisations' || part === 'large organisations') return {};
  if (part === 'readings') return { userIdentifier, consistency: 'bounded' };
  if (part !== 'tokens') return { userIdentifier };
  signer ??= newSigner();
  const now = Math.floor(Date.now() / 1_000);
  return { userJwt: await (await signer).sign({ email: userIdentifier, iat: now, exp: now + 3_600 }) };
}

/** Tokens, facts and readings belong to the first environments. */
function environmentOf(part: FillOrder['part'], number: number): number {
  switch (part) {
    case 'organisations':
      return number;
    case 'large organisations':
      return 10_000 + number;
    case 'tokens':
      return 20_000 + (number % 50);
    case 'facts':
      return 30_000;
    case 'facts of large features':
      return 40_000 + (number % 10);
    case 'readings':
      return 50_000;
    case '1,000 meters':
      return 60_000;
    case '4,000 meters':
      return 60_001;
  }
}

const environmentIdOf = (environment: number) => `env_${String(environment).padStart(26, '0')}`;

function keyOf(environment: number): string {
  const random = new Uint8Array(API_KEY_RANDOM_BYTES);
  new DataView(random.buffer).setUint32(0, environment);
  return formatApiKey({
    type: 'secret',
    environmentId: environmentIdOf(environment),
    home: LOCATION,
    random,
  });
}

async function snapshotOf(environment: number): Promise<EnvironmentSnapshot> {
  signer ??= newSigner();
  const { jwk } = await signer;
  const isLarge = environment >= 40_000 && environment < 50_000;
  const isHuge = environment >= 10_000 && environment < 20_000;
  const content =
    environment >= 60_000
      ? manyMeters(MANY_METERS[environment - 60_000] ?? 0)
      : artifactOf(isLarge || isHuge ? LARGE_FEATURES : SMALL_FEATURES, environment >= 50_000);
  return {
    generation: 1,
    orgId: ORG,
    environmentId: environmentIdOf(environment),
    environmentType: 'live',
    locations: [LOCATION],
    artifact: {
      id: `art_${environment}`,
      number: 1,
      hash: `hash-${environment}`,
      content,
      workflowCode: null,
    },
    keys: [{ id: `key_${environment}`, type: 'secret', hash: await sha256Hex(keyOf(environment)) }],
    block: null,
    jwtIssuers: [
      {
        id: `int_${environment}`,
        claimKey: 'email',
        claimIndex: 'email',
        audience: null,
        issuer: null,
        keys: [jwk as never],
      },
    ],
    hasCustomerFacts: environment >= 60_000 || (environment >= 30_000 && environment < 50_000),
    stripeIntegrationIds: ['int_stripe'],
  };
}

/** Every other customer has one of the plans that differ in one limit; the others have one times a quantity of their own. */
function planFactsOf(customer: string, number: number): CustomerFacts {
  const plan = number % METER_PLANS;
  if (number % 2 === 0)
    return { version: 5, grants: [{ planId: `plan_${plan}`, until: null }], overrides: [] };
  const item = {
    productId: `prod_${plan}`,
    priceId: 'price_1',
    quantity: number,
    periodStartAt: 1,
    periodEndAt: null,
  };
  return {
    version: 5,
    grants: [],
    overrides: [],
    stripe: { ...stripeFactsOf(customer), subscriptions: [subscriptionOf(customer, [item])] },
  };
}

/** A Stripe customer with metadata and a subscription, and overrides of their own. */
function factsOf(customer: string): CustomerFacts {
  const metadata = Array.from(
    { length: 10 },
    (_, index) => [`key-${index}`, `${customer} ${'x'.repeat(60)}`] as const,
  );
  const number = numberOf(customer);
  if (customer.includes('meters')) return planFactsOf(customer, number);
  const values = [0, 1, 2].map((index) => ({
    propertyId: `prop_${index}_1`,
    value: number + index,
    until: null,
  }));
  const stripe = { ...stripeFactsOf(customer), metadata: Object.fromEntries(metadata), createdAt: 1 };
  return { version: 5, grants: [], overrides: values, stripe };
}

function stripeFactsOf(customer: string): StripeFacts {
  return {
    integrationId: 'int_stripe',
    customerId: customer,
    email: customer,
    isNamedByEmail: true,
    subscriptions: [subscriptionOf(customer)],
  };
}

function subscriptionOf(customer: string, items?: readonly SubscriptionItemFacts[]): SubscriptionFacts {
  return {
    id: `sub_${customer}`,
    integrationId: 'int_stripe',
    status: 'active',
    livemode: true,
    productIds: ['prod_1'],
    ...(items && { items }),
    currentPeriodEndAt: 4_000_000_000_000,
  };
}

const numberOf = (customer: string) => Number(/customer-(\d+)/.exec(customer)?.[1] ?? 0);

const loaded: LoadedEnvironment[] = [];

/** Keeps what an isolate makes of as many snapshots, instead of those before. @returns what they are weighed as, in bytes */
async function keepSnapshots({ environment, count }: SnapshotOrder): Promise<Response> {
  loaded.length = 0;
  for (let number = 0; number < count; number += 1) {
    loaded.push(load(await snapshotOf(environment), null, Date.now()));
  }
  return Response.json(loaded.reduce((sum, each) => sum + bytesOf(each), 0));
}

const withFakes = new WeakMap<Env, Env>();

function withoutObjects(env: Env): Env {
  let own = withFakes.get(env);
  if (own === undefined) {
    own = {
      ...env,
      ENVIRONMENT_REPLICA: { getByName: (name: string) => ({ pull: (known: number) => pull(name, known) }) },
      LEDGER: {
        getByName: () => ({ readText: answerRead, readTexts: answerReads, readListed: answerListed }),
      },
      EVENT_STREAM: { getByName: () => ({ appendGroups: async () => 0 }) },
    } as unknown as Env;
    withFakes.set(env, own);
  }
  return own;
}

const RANGES = [
  [0, 1_000],
  [10_000, 40],
  [20_000, 50],
  [30_000, 1],
  [40_000, 10],
  [50_000, 1],
  [60_000, 2],
] as const;
let environmentByName: Promise<ReadonlyMap<string, number>> | null = null;

/** Names are hashes: those of the environments of all parts are made once. */
async function nameEnvironments(): Promise<ReadonlyMap<string, number>> {
  const names = new Map<string, number>();
  for (const [first, count] of RANGES) {
    for (let environment = first; environment < first + count; environment += 1) {
      const parts = ['replica', environmentIdOf(environment), LOCATION];
      const tuple = parts.map((part) => `${part.length}:${part}`).join('');
      names.set(await sha256Hex(tuple), environment);
    }
  }
  return names;
}

async function pull(name: string, known: number): Promise<object> {
  environmentByName ??= nameEnvironments();
  const environment = (await environmentByName).get(name);
  if (environment === undefined) return { kind: 'absent' };
  if (known >= 1) return { kind: 'unchanged' };
  let snapshot = snapshots.get(name);
  if (snapshot === undefined) {
    snapshot = snapshotOf(environment);
    snapshots.set(name, snapshot);
  }
  return { kind: 'snapshot', snapshot: await snapshot };
}

async function answerListed(
  _site: string,
  _hash: string,
  customers: string,
  now: number,
  reads?: string,
): Promise<string> {
  const query = reads === undefined ? lastList : JSON.stringify({ reads: JSON.parse(reads) });
  if (query === null) return JSON.stringify({ kind: 'unlisted' });
  lastList = query;
  return answerReads(query, customers, now);
}
let lastList: string | null = null;

async function answerRead(
  query: string,
  customer: string,
  _now: number,
  factsVersion?: number,
): Promise<string> {
  const { reads } = JSON.parse(query) as LedgerQuery;
  const number = numberOf(customer);
  const answer: LedgerAnswer = {
    kind: 'answered',
    outcomes: [],
    readings: reads.map((_, index) => ({ used: number + index, resetsAt: null })),
    isWhole: true,
    facts:
      factsVersion === undefined || factsVersion === 5
        ? undefined
        : { kind: 'newer', facts: factsOf(customer) },
  };
  return JSON.stringify(answer);
}

async function answerReads(query: string, customers: string, now: number): Promise<string> {
  const all = JSON.parse(customers) as { customer: string; factsVersion?: number }[];
  const texts = all.map(({ customer, factsVersion }) => answerRead(query, customer, now, factsVersion));
  return (await Promise.all(texts)).join('\n');
}

/** Buckets of a real ledger: an hour of five meters for each customer. */
async function fillLedger(env: Env, { from, to }: Pick<FillOrder, 'from' | 'to'>): Promise<Response> {
  const value = { state: 'on' } as const;
  for (let number = from; number < to; number += 1) {
    const customer = `ledger-customer-${number}`;
    const place = {
      environmentId: 'env_ledger',
      location: LOCATION,
      locations: [LOCATION],
      generation: 1,
      shards: 1,
      customer,
    } as const;
    const { ledger, site } = await ledgerStub(env, place);
    for (let minute = 0; minute < BUCKETS_PER_CALL / METERS; minute += 1) {
      const updates = METER_PROPERTIES.map((propertyId) => ({ propertyId, value, enforce: false }));
      await ledger.answer({ site, customer, now: Date.now() - minute * 3_600_000, updates, reads: [] });
    }
  }
  return Response.json({ checks: to - from });
}
