// What a version would change for customers by their balances: those that open a feature, and those that are left when a limit falls.
import { beforeAll, expect, test } from 'vitest';
import type { Artifact } from '#contracts/console/artifacts';
import type { Environment } from '#contracts/console/environments';
import type { FeatureProperty } from '#contracts/console/features';
import type { Impact } from '#contracts/console/impact';
import { check } from '#tests/support/access-checks';
import { putBalances, type SeededBalance } from '#tests/support/balances';
import { update } from '#tests/support/counter-updates';
import { eventually } from '#tests/support/eventually';
import { featureCalls } from '#tests/support/features';
import { ofFiles, type PayingTenant, payingTenant } from '#tests/support/paying-tenants';
import { publishAll } from '#tests/support/tenants';

let own: PayingTenant;
let staging: Environment;
let secret: string;
let path: string;
let closed: Artifact;
let credits: FeatureProperty;
let slug: string;
/** Of customers whose balances open the feature, and of others. */
let holders: readonly string[];
let others: readonly string[];

const DAY_MS = 86_400_000;
const give = (who: string, more: SeededBalance = {}) =>
  putBalances({ tenant: own.tenant, files: credits }, who, { id: `bal_${who}`, amount: 5, ...more });
const impact = () => own.tenant.make<Impact>('GET', `/deployments/${staging.id}/impact`);
const freeze = () => own.tenant.make<Artifact>('POST', '/artifacts');
const setOpens = (balanceOpens: boolean) => own.tenant.make('PUT', path, { balanceOpens });

async function deploy({ artifactId, artifactNumber }: Artifact): Promise<void> {
  await own.tenant.make('PUT', `/deployments/${staging.id}/artifact`, { artifactId });
  await publishAll(own.tenant);
  await eventually(async () => expect((await check(secret)).version?.number).toBe(artifactNumber));
}

async function isOpenTo(userIdentifier: string): Promise<boolean> {
  return (await check(secret, { userIdentifier })).features[slug]?.properties?.enabled === true;
}

beforeAll(async () => {
  own = await payingTenant();
  const { tenant, someone, grant } = own;
  const calls = featureCalls(() => tenant);
  const feature = await calls.newFeature();
  ({ slug } = feature);
  credits = await calls.newProperty(feature, { propertyKey: 'credits', type: 'meterable' });
  path = `/features/${feature.id}/properties/${credits.id}`;
  staging = await tenant.make<Environment>('POST', '/environments', { name: 'Staging', type: 'test' });
  const key = { environmentId: staging.id, type: 'secret' };
  secret = (await tenant.make<{ value: string }>('POST', '/api-keys', key)).value;
  closed = await freeze();
  await deploy(closed);

  const [payer, mailed] = [await someone(), await someone()];
  for (const who of ['granted-1', 'granted-2', 'granted-3']) await grant(who);
  for (const who of ['one', 'two', 'granted-1', payer.id, mailed.email]) await give(who);
  await give('granted-2', { needsPlan: true });
  await give('elsewhere', { environmentId: own.previewId });
  await give('frozen', { isFrozen: true });
  await give('later', { startsAt: Date.now() + DAY_MS });
  await give('ended', { endsAt: 1 });
  await give('closed', { closedAt: 1 });
  await give('without', { propertyId: own.files.id });
  await give('unplanned', { needsPlan: true });
  holders = ['one', 'two', 'granted-1', payer.id, mailed.id];
  others = [
    'granted-2',
    'granted-3',
    'elsewhere',
    'frozen',
    'later',
    'ended',
    'closed',
    'without',
    'unplanned',
  ];
  await publishAll(tenant);
});

const named = ({ changes }: Impact) =>
  changes.flatMap(({ names }) => names.map(({ identifier }) => identifier)).toSorted();

test('a meter whose balances begin to open its feature is a gain for who has one, and a loss when they no longer do', async () => {
  await setOpens(true);
  const gained = await impact();
  const change = { path: `${slug}.enabled`, isFeature: true, customers: holders.length };
  expect(gained).toMatchObject({
    customersWithMore: holders.length,
    customersThatLose: 0,
    changes: [
      { ...change, kind: 'gains', before: false, after: true, opened: { before: false, after: true } },
    ],
  });
  expect(named(gained)).toEqual(holders.toSorted());
  await deploy(await freeze());
  for (const who of holders) expect(await isOpenTo(who)).toBe(true);
  for (const who of others) expect(await isOpenTo(who)).toBe(false);

  await setOpens(false);
  const lost = await impact();
  expect(lost).toMatchObject({
    customersThatLose: holders.length,
    customersWithMore: 0,
    changes: [
      { ...change, kind: 'loses', before: true, after: false, opened: { before: true, after: false } },
    ],
  });
  expect(named(lost)).toEqual(holders.toSorted());
});

test('what balances open can be kept by overrides, whose balances are used on', async () => {
  const body = { toArtifactId: closed.artifactId, days: 1 };
  const kept = await own.tenant.make('POST', `/deployments/${staging.id}/impact/kept-values`, body);
  expect(kept).toEqual({ customers: holders.length, overrides: 2 * holders.length, notKept: [] });
  await deploy(closed);
  const { features } = await check(secret, { userIdentifier: 'one' });
  expect(features[slug]).toMatchObject({
    ...{ allowed: true, properties: { credits: { state: 'metered', limit: 5, remaining: 5 } } },
  });
});

test('a limit that falls takes nothing from who has a balance left, and says what counts against the limit', async () => {
  const { tenant, files, someone, proId } = own;
  const pro = () =>
    someone([{ id: `sub_${Math.random()}`, status: 'active', productIds: ['prod_pro'] } as never]);
  const [poor, rich, drawing] = [(await pro()).id, (await pro()).id, (await pro()).id];
  await putBalances({ tenant, files }, rich, { id: 'bal_rich' });
  await putBalances({ tenant, files }, drawing, { id: 'bal_drawing', amount: 60, priority: 10 });
  await publishAll(tenant);
  for (const who of [poor, rich, drawing]) await update(secret, ofFiles(who, { by: 70 }));
  const [feature] = (await tenant.make<{ id: string; slug: string }[]>('GET', '/features')).filter(
    (each) => each.slug === 'workspaces',
  );
  const meter = { limit: 20, periodType: 'lifetime', uniqueResourceIds: false, overage: { upTo: 5 } };
  const value = { id: files.id, type: 'meterable', value: { state: 'metered', meter } };
  const body = { properties: { [feature!.id]: [value] } };
  const { changes } = await tenant.make<Impact>(
    'POST',
    `/deployments/${staging.id}/impact/plans/${proId}`,
    body,
  );
  const used = (kind: string) =>
    changes
      .filter((change) => change.kind === kind && change.path === 'workspaces.files')
      .flatMap(({ names }) => names.map(({ identifier, used }) => [identifier, used]));
  expect(used('loses')).toEqual([[poor, 70]]);
  expect(used('less')).toEqual(
    expect.arrayContaining([
      [rich, 70],
      [drawing, 10],
    ]),
  );
});
