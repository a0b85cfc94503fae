// The activity in words: who did what to which object, with names in place of ids.
import { expect, test } from 'vitest';
import type { Activity, AuditAction } from '#contracts/console/activity';
import { activityPath } from '../../web/domains/activity/activity-path.ts';
import {
  ACTION_WORDS,
  actorName,
  describeActivity,
  FIELD_WORDS,
} from '../../web/domains/activity/describe-activity.ts';

const names = {
  plan_1: 'Team',
  prop_1: 'exports.per_month',
  env_1: 'Production',
  key_1: 'Billing server',
  art_1: 'v3',
  prod_1: 'Acme Team',
  prod_2: 'Seats',
  'ada@tests.example': 'Ada Lovelace',
};
const actor = { kind: 'member', id: 'usr_1', name: 'Dana Demo', email: 'dana@tests.example' } as const;
const of = (
  action: AuditAction,
  targetId: string | null,
  detail: Activity['detail'] = {},
  kind: Activity['kind'] = 'plan',
): Activity => ({ id: 'aud_1', at: 1, action, kind, targetId, actor, detail });
const said = (...change: Parameters<typeof of>) => describeActivity(of(...change), names);

test('deployments name the version and the environment', () => {
  const detail = { artifactId: 'art_1', number: 3 };
  expect(said('version.deployed', 'env_1', detail, 'version').what).toBe('deployed v3 to Production');
  expect(said('version.rolled-back', 'env_1', detail, 'version').what).toBe('rolled Production back to v3');
  expect(said('version.created', 'art_1', { note: 'Higher limits' }, 'version')).toEqual({
    what: 'created v3',
    detail: 'Higher limits',
    changes: [],
  });
});

test('changes of the workspace say what was edited', () => {
  const changes = [
    { field: 'name', from: 'Squad', to: 'Team' },
    { field: 'isAddOn', from: false, to: true },
    { field: 'description' },
  ];
  expect(said('plan.changed', 'plan_1', { changes })).toEqual({
    what: 'changed the plan Team',
    detail: null,
    changes: ['name from “Squad” to “Team”', 'add-on from off to on', 'description'],
  });
  expect(said('plan.deleted', 'plan_gone').what).toBe('deleted the plan plan_gone');
  const code = { changes: [{ field: 'source' }, { field: 'compiled' }] };
  expect(said('workflow.changed', 'wf_1', code, 'workflow').changes).toEqual(['code']);
});

test('products that a plan was linked to, the version before and what is synced are named', () => {
  const links = {
    added: [
      ['stripe_1', 'prod_1', '', '', 0],
      ['stripe_1', 'prod_2', 'price_1', 'Yearly', 0],
    ],
  };
  const change = said('plan.products-changed', 'plan_1', {
    ...links,
    removed: [['stripe_1', 'prod_gone', '']],
  });
  expect(change.changes).toEqual([
    'linked Acme Team',
    'linked Seats (Yearly)',
    'unlinked a deleted product (prod_gone)',
  ]);
  const deployed = { artifactId: 'art_2', number: 4, fromArtifactId: 'art_1' };
  expect(said('version.deployed', 'env_1', deployed, 'version').detail).toBe('in place of v3');
  expect(said('version.deployed', 'env_1', { ...deployed, fromArtifactId: null }, 'version').detail).toBe(
    null,
  );
  const sync = said('stripe-integration.sync-started', 'int_1', { type: 'stripe-product' }, 'integration');
  expect(sync.what).toBe('started a sync of products of the Stripe account int_1');
});

test('changes recorded by an earlier release list the fields', () => {
  const fields = { fields: ['name', 'grantToAnonymousSessions', 'updatedAt'] };
  expect(said('plan.changed', 'plan_1', fields).changes).toEqual(['name, assigned to anonymous users']);
  const claim = said('jwt-integration.updated', 'jwt_1', { changed: ['claimKey'] }, 'integration');
  expect(claim.changes).toEqual(['claim key']);
});

test('changed values of a plan are named by property; long lists are counted', () => {
  const edit = (changes: readonly object[], moreChanges?: number) =>
    said('plan.version-created', 'plan_1', { version: 2, changes, moreChanges });
  expect(
    edit([
      { field: 'prop_1', from: 1000, to: 5000 },
      { field: 'prop_gone', to: { state: 'off' } },
      { field: 'prop_1', from: 5, to: null },
    ]),
  ).toMatchObject({
    detail: 'plan version 2',
    changes: [
      'exports.per_month from 1,000 to 5,000',
      'a deleted property (prop_gone) set to off',
      'exports.per_month removed (was 5)',
    ],
  });
  const many = Array.from({ length: 8 }, () => ({ field: 'prop_1', from: 1, to: 2 }));
  expect(edit(many, 30).changes).toEqual([
    ...Array.from({ length: 6 }, () => 'exports.per_month from 1 to 2'),
    'and 32 more',
  ]);
});

test('bounds of a number are written out', () => {
  const change = (from: object | null, to: object | null) =>
    said('property.changed', 'prop_1', { changes: [{ field: 'bounds', from, to }] }, 'feature').changes;
  expect(change(null, { min: 0, max: 10, allowDecimal: false })).toEqual(['bounds set to 0 to 10']);
  expect(change({ min: 1, allowDecimal: true }, null)).toEqual(['bounds removed (was at least 1)']);
});

test('quotation marks stay around a name that is written from right to left', () => {
  const changes = [{ field: 'name', from: 'Team', to: 'خطة' }];
  expect(said('plan.changed', 'plan_1', { changes }).changes[0]).toContain('“\u2068خطة\u2069”');
});

test('keys are named, and by environment', () => {
  const detail = { environmentId: 'env_1', type: 'secret' };
  expect(said('api-key.revoked', 'key_1', detail, 'api-key').what).toBe(
    'revoked the secret key Billing server of Production',
  );
  expect(said('api-key.created', 'key_2', detail, 'api-key').what).toBe(
    'created the secret key key_2 of Production',
  );
});

test('customers are named, with what they got, why, where and until when', () => {
  const detail = {
    grantId: 'grant_1',
    planId: 'plan_1',
    environmentId: 'env_1',
    until: Date.UTC(2026, 11, 24, 12),
    reason: 'A pilot customer',
  };
  expect(said('customer.plan-granted', 'ada@tests.example', detail, 'customer')).toEqual({
    what: 'granted Team to Ada Lovelace',
    detail: 'A pilot customer · Production · until 24 Dec 2026',
    changes: [],
  });
  const override = { propertyId: 'prop_1', value: 25, environmentId: null, reason: 'Pilot' };
  expect(said('customer.property-overridden', 'cus_unknown', override, 'customer')).toEqual({
    what: 'set exports.per_month to 25 for cus_unknown',
    detail: 'Pilot · all environments',
    changes: [],
  });
});

test('an override that is replaced or removed names the earlier value', () => {
  const detail = { propertyId: 'prop_1', from: 10, environmentId: null };
  const replaced = said('customer.property-overridden', 'cus_1', { ...detail, value: 25 }, 'customer');
  expect(replaced.what).toBe('changed exports.per_month from 10 to 25 for cus_1');
  const removed = said('customer.override-removed', 'cus_1', detail, 'customer');
  expect(removed.what).toBe('removed the override of exports.per_month (was 10) for cus_1');
  const unknown = said('customer.override-removed', 'cus_1', { propertyId: 'prop_1' }, 'customer');
  expect(unknown.what).toBe('removed the override of exports.per_month for cus_1');
});

test('a property has its type, and the rule between plans its label', () => {
  const created = said('property.created', 'prop_1', { type: 'meterable' }, 'feature');
  expect(created).toMatchObject({ what: 'added the property exports.per_month', detail: 'Meterable' });
  const rule = (type?: string) =>
    said(
      'property.changed',
      'prop_1',
      { type, changes: [{ field: 'conflictResolution', from: 'lower', to: 'higher' }] },
      'feature',
    );
  expect(rule('boolean')).toMatchObject({
    detail: null,
    changes: ['rule when plans differ from “Off wins over on” to “On wins over off”'],
  });
  // Recorded by an earlier release.
  expect(rule().changes).toEqual([
    'rule when plans differ from “The lowest value wins” to “The highest value wins”',
  ]);
  const unknown = { type: 'boolean', changes: [{ field: 'conflictResolution', from: 'none', to: 'sum' }] };
  expect(said('property.changed', 'prop_1', unknown, 'feature').changes[0]).toContain('from “none” to');
});

test('a customer whose identifier every object has is shown as it is', () => {
  expect(said('customer.created', '__proto__', {}, 'customer').what).toBe('created the customer __proto__');
  expect(said('customer.created', 'ada@tests.example', {}, 'customer').what).toBe(
    'created the customer Ada Lovelace (ada@tests.example)',
  );
});

test('support, keys, Stripe and Tessera are named as authors', () => {
  const named = (kind: Activity['actor']['kind'], name: string | null) =>
    actorName({ kind, id: 'x', name, email: null });
  expect(named('member', 'Dana Demo')).toBe('Dana Demo');
  expect(named('member', null)).toBe('A former member');
  expect(named('support', 'Grace Staff')).toBe('Grace Staff (support)');
  expect(named('key', 'Billing server')).toBe('API key Billing server');
  expect(named('key', '')).toBe('An API key');
  expect([named('stripe', null), named('service', null)]).toEqual(['Stripe', 'Tessera']);
});

test('an action of an earlier release is shown as it was recorded', () => {
  const former = { ...of('plan.changed', 'plan_1'), action: 'plan.prices-changed' };
  expect(describeActivity(former, names).what).toBe('plan prices changed');
});

test('a row leads to its object, and nowhere once the object was deleted', () => {
  expect(activityPath('org_1', of('plan.changed', 'plan_1'))).toBe('/o/org_1/plans/plan_1/feature');
  expect(activityPath('org_1', of('plan.deleted', 'plan_1'))).toBeUndefined();
  const property = of('property.deleted', 'prop_1', { featureId: 'feat_1' }, 'feature');
  expect(activityPath('org_1', property)).toBe('/o/org_1/features/feat_1');
  expect(activityPath('org_1', of('version.deployed', 'env_1', {}, 'version'))).toBe(
    '/o/org_1/environments/environments/env_1/manage',
  );
  const customerIn = (environmentId: string | null) =>
    activityPath('org_1', of('customer.plan-granted', 'ada', { environmentId }, 'customer'));
  expect([customerIn('env_1'), customerIn(null)]).toEqual([
    '/o/org_1/customers/ada?environment=env_1',
    '/o/org_1/customers/ada',
  ]);
});

test.each(Object.keys(ACTION_WORDS) as AuditAction[])('%s says to what it was done', (action) => {
  const subject = action.slice(0, action.indexOf('.'));
  const { what } = said(action, 'thing_1', { type: 'secret', environmentId: 'env_1', number: 3 });
  expect(what).not.toContain(action);
  // The organisation, its billing and its support access are the reader's own; members speak of themselves.
  const isOwn = ['organisation', 'billing', 'support-access'].includes(subject);
  const isOfActor = ['member.joined', 'member.left'].includes(action);
  const isOfStaff = [
    'sudo.viewed',
    'sudo.acted',
    'sudo.database-followed',
    'sudo.organisation-changed',
    'sudo.organisation-change-refused',
  ].includes(action);
  // Their detail has the test's name.
  const isOfTest = ['workflow-test.added', 'workflow-test.changed'].includes(action);
  if (isOwn || isOfActor || isOfStaff) expect(what).not.toContain('thing_1');
  else if (!isOfTest) expect(what).toContain('thing_1');
});

test.each(Object.entries(FIELD_WORDS))('the field %s has words', (field, words) => {
  expect(words).toMatch(/^(?!.*([a-z][A-Z]|_))\S/);
  const changes = [{ field, from: 7, to: 8 }];
  expect(said('plan.changed', 'plan_1', { changes }).changes[0]?.startsWith(`${words} `)).toBe(true);
});

test('steps that were skipped, the plan and the rules of subscriptions are said in words', () => {
  const changed = (changes: readonly object[]) =>
    said('stripe-integration.updated', 'int_1', { changes }, 'integration').changes;
  expect(
    changed([
      { field: 'quickstartWaitForEventSkipped', from: false, to: true },
      { field: 'pastDueDays', from: null, to: 7 },
      { field: 'claimIndex', from: 'stripe_customer_id', to: 'email' },
    ]),
  ).toEqual([
    'quick start step “Trigger an event in Stripe” from open to skipped',
    'days of access while past due from no limit to 7',
    'what the claim contains from a Stripe customer ID to an email',
  ]);
  expect(said('sudo.organisation-changed', 'org_1', { plan: 'grow' }, 'support').changes).toEqual([
    'plan set to Grow',
  ]);
});

test('regions that were enabled and disabled are named', () => {
  const changed = (detail: Activity['detail']) =>
    said('organisation.data-locations-changed', 'org_1', detail, 'organisation').changes;
  expect(changed({ dataLocations: ['weur', 'apac'], from: ['weur', 'afr'] })).toEqual([
    'enabled Asia-Pacific',
    'disabled Africa',
  ]);
  // Recorded by an earlier release.
  expect(changed({ dataLocations: ['weur', 'apac'] })).toEqual(['enabled: Western Europe, Asia-Pacific']);
});
