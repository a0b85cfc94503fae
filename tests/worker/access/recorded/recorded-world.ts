// The world that the recorded answers are about: plans in conflict, meters of every kind, customers known in every way, tokens, and workflows.
import { env } from 'cloudflare:workers';
import type { Artifact } from '#contracts/console/artifacts';
import type { Environment } from '#contracts/console/environments';
import type { Feature } from '#contracts/console/features';
import type { PropertyValue } from '#contracts/public/values';
import { identifierSegment } from '#engine/identity/identifier-segment';
import { inSeconds, newSigner } from '#lab/fixtures/tokens';
import { check } from '#tests/support/access-checks';
import { eventually } from '#tests/support/eventually';
import { connectAccount, putCustomer, subscribed } from '#tests/support/stripe-customers';
import { storedProduct } from '#tests/support/stripe-rows';
import { newTenant, publishAll, type Tenant } from '#tests/support/tenants';
import { integrate } from '#tests/support/token-checks';
import { workflowTenant } from '#tests/support/workflows';
import { getContent, putContent } from '#worker/domains/snapshots/keep-artifact-content';
import { createFeature, createPlan, type PlanValues } from '../../../../dev/workspace/build-workspace.ts';

export interface RecordedWorld {
  /** API keys and tokens by the names that recorded requests have for them. */
  readonly keys: Readonly<Record<string, string>>;
  readonly tokens: Readonly<Record<string, string>>;
}

const meter = (
  limit: number,
  periodType: 'fixed' | 'rolling' | 'lifetime',
  more: { periodCount?: number; periodLength?: 'hour' | 'day' | 'month'; uniqueResourceIds?: boolean } = {},
): PropertyValue => ({
  state: 'metered',
  meter: { limit, periodType, uniqueResourceIds: false, ...more },
});
const ON = { state: 'on' } as const;
const OFF = { state: 'off' } as const;
const unique = { uniqueResourceIds: true };

async function buildFeatures(tenant: Tenant): Promise<Feature[]> {
  const property = (propertyKey: string, value: PropertyValue, conflictResolution?: 'higher' | 'lower') => ({
    name: propertyKey,
    propertyKey,
    type: (typeof value === 'object' ? 'meterable' : typeof value) as 'number',
    value: value as number,
    ...(conflictResolution !== undefined && { conflictResolution }),
  });
  const feature = (slug: string, properties: ReturnType<typeof property>[] = []) =>
    createFeature(tenant, { name: slug, slug, properties });
  return [
    await feature('data-exports', [
      property('exports', OFF),
      property('formats', 'csv'),
      property('bulk', false),
    ]),
    await feature('team-seats', [
      property('seats', 1),
      property('minimum', 9, 'lower'),
      property('members', OFF, 'lower'),
    ]),
    await feature('api-calls', [property('calls', OFF), property('storage', OFF, 'lower')]),
    await feature('reports'),
  ];
}

const PLANS: readonly [slug: string, values: PlanValues, grants?: object][] = [
  [
    'open',
    { reports: {}, 'api-calls': { calls: meter(5, 'rolling', { periodLength: 'hour' }) } },
    { grantToAnonymousSessions: true },
  ],
  [
    'member',
    {
      'team-seats': { seats: 3, minimum: 3, members: meter(2, 'lifetime', unique) },
      'api-calls': { calls: meter(10, 'fixed', { periodLength: 'hour', periodCount: 2 }), storage: ON },
    },
    { grantToAuthenticatedUsers: true },
  ],
  [
    'pro',
    {
      'data-exports': {
        exports: meter(4, 'rolling', { periodLength: 'month' }),
        formats: 'csv,xlsx',
        bulk: true,
      },
      'team-seats': { seats: 10, minimum: 2, members: meter(5, 'lifetime', unique) },
      'api-calls': { calls: ON, storage: meter(100, 'lifetime') },
    },
  ],
  [
    'plus',
    {
      'data-exports': { exports: meter(2, 'fixed', { periodLength: 'day' }) },
      'team-seats': { seats: 7, minimum: 4, members: meter(3, 'lifetime', unique) },
      'api-calls': { calls: meter(20, 'rolling', { periodLength: 'hour' }) },
    },
  ],
  ['trial', { reports: {}, 'data-exports': { exports: ON, bulk: true } }],
];

export async function recordedWorld(): Promise<RecordedWorld> {
  const tenant = await newTenant();
  const features = await buildFeatures(tenant);
  const planIds: Record<string, string> = {};
  for (const [slug, values, grants] of PLANS) {
    planIds[slug] = (await createPlan(tenant, { name: slug, slug, ...grants, values }, features)).planId;
  }
  const accounts = [await connectAccount(tenant), await connectAccount(tenant, true)];
  for (const slug of ['pro', 'plus'] as const) {
    const addProducts = [];
    for (const account of accounts) {
      addProducts.push({ ...(await storedProduct(tenant, account, `prod_${slug}`)), version: 2 });
    }
    await tenant.make('PUT', `/plans/${planIds[slug]}/products`, { addProducts });
  }
  const signer = await newSigner();
  await integrate(tenant, signer.pem);
  const tokens = {
    dora: await signer.sign({ email: 'dora@rec.example', exp: inSeconds(3_000) }),
    pro: await signer.sign({ email: 'pro@rec.example', exp: inSeconds(3_000) }),
    expired: await signer.sign({ email: 'dora@rec.example', exp: inSeconds(-600) }),
    forged: await (await newSigner()).sign({ email: 'dora@rec.example', exp: inSeconds(600) }),
    nobody: await signer.sign({ exp: inSeconds(600) }),
  };

  // As plans were before they could be compared by rate.
  await env.DB.prepare("UPDATE organization SET limit_order = 'limit' WHERE id = ?").bind(tenant.orgId).run();
  const environment = (name: string, type: string) =>
    tenant.make<Environment>('POST', '/environments', { name, type });
  const { id: artifactId } = await tenant.make('POST', '/artifacts', {});
  const live = await environment('Live one', 'live');
  const empty = await environment('Empty one', 'test');
  await tenant.make('PUT', `/deployments/${live.id}/artifact`, { artifactId });
  const previewId = await tenant.previewId();
  await publishAll(tenant);
  await addCustomers(tenant, features, planIds, accounts as [string, string]);
  await publishAll(tenant);

  const workflows = await worldWithWorkflows();
  const keys = {
    secret: (await tenant.key(previewId)).value,
    public: (await tenant.key(previewId, 'public')).value,
    live: (await tenant.key(live.id)).value,
    empty: (await tenant.key(empty.id)).value,
    earlier: await earlierVersion(),
    workflows,
    unknown: 'tsr_sec_unknown',
  };
  await publishAll(tenant);
  await isReady(keys);
  return { tokens, keys };
}

/** A secret key of an environment with a version of an earlier release: its feature is off and has meters that are not. */
async function earlierVersion(): Promise<string> {
  const tenant = await newTenant();
  const property = (propertyKey: string, value: PropertyValue) => ({
    name: propertyKey,
    propertyKey,
    type: 'meterable' as const,
    value: value as typeof ON,
  });
  const properties = [property('minutes', ON), property('frames', meter(3, 'lifetime'))];
  await createFeature(tenant, { name: 'Film', slug: 'film', properties });
  const { id: artifactId, hash } = await tenant.make<Artifact>('POST', '/artifacts', {});
  const { switchesMeters: _, ...earlier } = await getContent(env, tenant, hash);
  await putContent(env, tenant, hash, JSON.stringify(earlier));
  const live = await tenant.make<Environment>('POST', '/environments', { name: 'Earlier', type: 'live' });
  await tenant.make('PUT', `/deployments/${live.id}/artifact`, { artifactId });
  const { value } = await tenant.key(live.id);
  await publishAll(tenant);
  return value;
}

/** A secret key of an environment in which workflows add a plan, change values, and fail. */
async function worldWithWorkflows(): Promise<string> {
  const { create, publish, key, workspace } = await workflowTenant();
  await create(
    'Pro for eve',
    'export default ({ identity }) => identity.identifier === "eve" ? ["pro"] : [];',
  );
  await create(
    'Off for mallory',
    'export default ({ identity, values }) => identity.identifier === "mallory" ? { enabled: false, seats: 2 } : identity.identifier === "mischief" ? { seats: "x", nothing: 1 } : {};',
    workspace.feature.id,
  );
  await create(
    'Fails for trudy',
    'export default ({ identity }) => { if (identity.identifier === "trudy") throw new Error("no"); return []; };',
  );
  await publish();
  return key;
}

async function addCustomers(
  tenant: Tenant,
  features: readonly Feature[],
  planIds: Readonly<Record<string, string>>,
  [test, live]: readonly [string, string],
): Promise<void> {
  const both = (id: string, email: string | null, ...subscriptions: ReturnType<typeof subscribed>[]) =>
    Promise.all(
      [test, live].map((integrationId, index) =>
        putCustomer(tenant, {
          integrationId,
          id: index === 0 ? id : `${id}Live`,
          email,
          livemode: index === 1,
          subscriptions,
          createdAt: 1_700_000_000_000,
        }),
      ),
    );
  await both('cus_RecPro', 'pro@rec.example', subscribed('prod_pro'));
  await both('cus_RecPlus', null, subscribed('prod_plus'));
  await both('cus_RecBoth', 'both@rec.example', subscribed('prod_pro'), subscribed('prod_plus', 'past_due'));
  await both('cus_RecPlain', 'plain@rec.example');
  await both('cus_RecGone', 'gone@rec.example', subscribed('prod_pro', 'canceled'));
  await both('cus_RecTwinA', 'twin@rec.example', subscribed('prod_pro'));
  await both('cus_RecTwinB', 'twin@rec.example', subscribed('prod_plus', 'trialing'));

  const reason = 'Recorded answers';
  const until = Date.now() + 86_400_000;
  const path = (identifier: string, below: string) => `/customers/${identifierSegment(identifier)}/${below}`;
  const propertyId = (key: string) =>
    features.flatMap(({ properties }) => properties).find(({ propertyKey }) => propertyKey === key)?.id;
  const override = (identifier: string, key: string, value: PropertyValue) =>
    tenant.make('PUT', path(identifier, 'overrides'), {
      environmentId: null,
      reason,
      until: null,
      propertyId: propertyId(key),
      value,
    });
  const grants = [
    ['dora@rec.example', 'trial', until],
    ['grant@rec.example', 'plus', null],
    ['cus_RecPlain', 'trial', until],
  ] as const;
  for (const [identifier, plan, end] of grants) {
    const body = { environmentId: null, reason, until: end, planId: planIds[plan] };
    await tenant.make('POST', path(identifier, 'grants'), body);
  }
  await override('over@rec.example', 'seats', 77);
  await override('over@rec.example', 'calls', OFF);
  await override('over@rec.example', 'members', ON);
  await override('cus_RecPlus', 'exports', meter(1, 'lifetime'));
  await override('cus_RecPlus', 'bulk', true);
}

/** Waits until facts have reached those who answer. */
async function isReady(keys: RecordedWorld['keys']): Promise<void> {
  for (const [key, userIdentifier, plan] of [
    [keys.live, 'dora@rec.example', 'trial'],
    [keys.secret, 'cus_RecPro', 'pro'],
    [keys.live, 'cus_RecProLive', 'pro'],
  ] as const) {
    await eventually(async () => {
      const { customer } = await check(key as string, { userIdentifier, features: ['reports'] });
      if (!customer.plans.includes(plan)) throw new Error(`${userIdentifier} has no ${plan}`);
    });
  }
}
