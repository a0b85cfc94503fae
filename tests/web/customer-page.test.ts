// What the page of a customer chooses and shows: the environment of its mode, and what belongs to it through its email.
import { describe, expect, test } from 'vitest';
import type { CustomerChange } from '#contracts/console/customer-changes';
import type { KnownCustomer } from '#contracts/console/customer-list';
import type {
  Customer,
  CustomerEntitlements,
  CustomerOverride,
  Entitlement,
} from '#contracts/console/customers';
import type { Environment } from '#contracts/console/environments';
import type { LinkedCustomer } from '#contracts/console/linked-customer';
import {
  chooseEnvironment,
  isTestModeOnly,
  listedMode,
} from '../../web/domains/customers/choose-environment.ts';
import { costNotes } from '../../web/domains/customers/costs/cost-notes.ts';
import { findEntitlements } from '../../web/domains/customers/entitlements/find-entitlements.ts';
import { overrideStart } from '../../web/domains/customers/entitlements/override-form.ts';
import { appliedOverrides, manualEntries } from '../../web/domains/customers/manual/manual-entries.ts';
import { everywhereLabel } from '../../web/domains/customers/manual/manual-entry-fields.tsx';
import { describeChange } from '../../web/domains/customers/page/describe-change.ts';
import { personOf, withOwnEntries } from '../../web/domains/customers/person/person-of.ts';
import { inStripe } from '../../web/domains/customers/person/stripe-customers-card.tsx';
import { tabOf } from '../../web/routes/customers/customer-tabs.ts';

const environment = (id: string, type: Environment['type']) => ({ id, type }) as Environment;
const linked = (id: string, testMode: boolean) => ({ id, testMode }) as LinkedCustomer;

describe('the environment of a customer', () => {
  const all = [environment('preview', 'preview'), environment('live', 'live'), environment('test', 'test')];

  test('has the mode of the customer, unless another one is named', () => {
    expect(chooseEnvironment(all, null, false)?.id).toBe('live');
    expect(chooseEnvironment(all, null, true)?.id).toBe('test');
    expect(chooseEnvironment(all, 'live', true)?.id).toBe('live');
    expect(chooseEnvironment(all, 'deleted', true)?.id).toBe('test');
    expect(chooseEnvironment(all.slice(0, 2), null, true)?.id).toBe('preview');
    expect(chooseEnvironment(all.slice(1, 2), null, true)?.id).toBe('live');
    expect(chooseEnvironment([], null, true)).toBeUndefined();
  });

  test('is one in which the customer was created, also one of the other mode', () => {
    const created = (...ids: string[]) =>
      ids.map((environmentId) => ({ environmentId, name: null, email: null, userId: null }));
    expect(chooseEnvironment(all, null, false, created('preview'))?.id).toBe('preview');
    expect(chooseEnvironment(all, null, false, created('preview', 'live'))?.id).toBe('live');
    expect(chooseEnvironment(all, null, true, created('live'))?.id).toBe('live');
    expect(chooseEnvironment(all, 'test', false, created('preview'))?.id).toBe('test');
    expect(chooseEnvironment(all, null, false, created('deleted'))?.id).toBe('live');
  });

  test('is known from the list for a Stripe customer, which no call creates', () => {
    const listed = { stripe: { testMode: true } } as KnownCustomer;
    expect(listedMode('cus_1', listed)).toBe(true);
    expect(listedMode('acme', listed)).toBeUndefined();
    expect(listedMode('cus_1', undefined)).toBeUndefined();
  });

  test('is one of test mode for those that only test mode knows', () => {
    const both = [linked('cus_live', false), linked('cus_test', true)];
    expect(isTestModeOnly('cus_test', both)).toBe(true);
    expect(isTestModeOnly('cus_live', both)).toBe(false);
    expect(isTestModeOnly('ada@example.com', both)).toBe(false);
    expect(isTestModeOnly('ada@example.com', both.slice(1))).toBe(true);
    expect(isTestModeOnly('somebody', [])).toBe(false);
  });
});

describe('manual entries of a customer', () => {
  const override = (id: string, environmentId: string | null, until: number | null = null) =>
    ({ id, environmentId, until, propertyId: 'seats' }) as CustomerOverride;
  const customer = (overrides: readonly CustomerOverride[]) =>
    ({ identifier: 'cus_1', grants: [], overrides, linked: [] }) as unknown as Customer;
  const entitled = (overrides: readonly CustomerOverride[]) =>
    ({ viaEmail: { email: 'ada@example.com', grants: [], overrides } }) as unknown as CustomerEntitlements;
  const applied = (own: readonly CustomerOverride[], ofEmail: readonly CustomerOverride[]) =>
    appliedOverrides(manualEntries(customer(own), entitled(ofEmail)).overrides, 'live').get('seats');

  test('are its own and those of its email, each with whom it was made for', () => {
    const { overrides } = manualEntries(customer([override('o1', null)]), entitled([override('o2', null)]));
    expect(overrides.map(({ id, of }) => [id, of])).toEqual([
      ['o1', 'cus_1'],
      ['o2', 'ada@example.com'],
    ]);
    expect(manualEntries(customer([override('o1', null)]), undefined).overrides).toHaveLength(1);
  });

  test('apply as in a check: the environment before all environments, then the later one, and none that has ended', () => {
    expect(applied([override('o1', null)], [override('o2', null)])?.of).toBe('ada@example.com');
    expect(applied([override('o3', null)], [override('o2', null)])?.of).toBe('cus_1');
    expect(applied([override('o1', 'live')], [override('o2', null)])?.of).toBe('cus_1');
    expect(applied([override('o1', null)], [override('o2', 'test')])?.of).toBe('cus_1');
    expect(applied([override('o1', null)], [override('o2', 'live', 1)])?.of).toBe('cus_1');
  });
});

test('the override editor starts with the override itself, whatever a workflow or the bounds make of it', () => {
  const override = { value: false, environmentId: 'live', until: null, reason: 'Trial' } as CustomerOverride;
  expect(overrideStart(override, true, 'env_staging')).toEqual({
    value: false,
    environmentId: 'live',
    until: '',
    reason: 'Trial',
  });
  expect(overrideStart({ ...override, until: Date.UTC(2030, 0, 1) }, true, 'env_staging').until).toMatch(
    /^20(29|30)-/,
  );
  expect(overrideStart(undefined, true, 'env_staging')).toEqual({
    value: true,
    environmentId: 'env_staging',
    until: '',
    reason: '',
  });
});

test('“All environments” names the live ones, whose customers notice', () => {
  const [preview, live] = [
    { name: 'Preview', type: 'preview' },
    { name: 'Production', type: 'live' },
  ] as const;
  expect(everywhereLabel([preview])).toBe('All environments');
  expect(everywhereLabel([preview, live])).toBe('All environments, including Production');
  expect(everywhereLabel([live, { name: 'Europe', type: 'live' }])).toBe(
    'All environments, including Production and 1 more',
  );
});

test('a person has one page, whether opened by their identifier, email or user id', () => {
  const answered = {
    identifier: 'cus_1',
    viaEmail: null,
    viaUserIds: [],
    warnings: [],
  } as never as CustomerEntitlements;
  expect(personOf('cus_1', answered)).toBe('cus_1');
  expect(personOf('ada@example.com', answered)).toBe('cus_1');
  expect(personOf('user-2042', answered)).toBe('cus_1');
  expect(personOf('ada@example.com', undefined)).toBe('ada@example.com');
  // A name that calls cannot send keeps the page from which it can be moved.
  expect(personOf('ada@example.com ', answered)).toBe('ada@example.com ');
  const viaEmail = { email: 'ada@example.com', grants: [], overrides: [] };
  expect(withOwnEntries(answered, { ...answered, viaEmail })).toMatchObject({ viaEmail });
});

test('a customer of the Stripe emulator opens there, in its mode', () => {
  const customer = { accountId: 'acct_1', id: 'cus_1', testMode: false };
  expect(inStripe(customer, null)).toBe('https://dashboard.stripe.com/acct_1/customers/cus_1');
  expect(inStripe({ ...customer, testMode: true }, null)).toBe(
    'https://dashboard.stripe.com/acct_1/test/customers/cus_1',
  );
  const emulator = 'http://127.0.0.1:4612';
  expect(inStripe(customer, emulator)).toBe(`${emulator}/?account=acct_1&mode=live&customer=cus_1#customer`);
  expect(inStripe({ ...customer, testMode: true }, emulator)).toBe(
    `${emulator}/?account=acct_1&customer=cus_1#customer`,
  );
});

test('the history names the value that an override had', () => {
  const names = { plan: () => undefined, property: () => 'team.seats', environment: () => undefined };
  const said = (action: string, detail: object) =>
    describeChange({ kind: 'manual', action, detail } as never as CustomerChange, names).what;
  expect(said('customer.property-overridden', { value: 25 })).toBe('team.seats overridden: 25');
  expect(said('customer.property-overridden', { from: 10, value: 25 })).toBe(
    'team.seats overridden: 25 (was 10)',
  );
  expect(said('customer.override-removed', { from: 25 })).toBe('Override of team.seats removed (was 25)');
});

test('the history says what was saved, and which Stripe customer was joined', () => {
  const names = { plan: () => undefined, property: () => undefined, environment: () => undefined };
  const said = (action: string, detail: object) =>
    describeChange({ kind: 'manual', action, detail } as never as CustomerChange, names).what;
  expect(said('customer.changed', { name: 'Acme', email: null, userId: 'user_42' })).toBe(
    'Saved as Acme, user ID user_42',
  );
  expect(said('customer.joined', { customerId: 'cus_1' })).toBe('Joined with Stripe customer cus_1');
  expect(said('customer.joined', { customerId: 'cus_1', by: 'metadata' })).toBe(
    'Joined with Stripe customer cus_1, whose metadata names it',
  );
  const separated = (customerIds: readonly string[], by?: string) =>
    said('customer.separated', { customerIds, by });
  expect(separated(['cus_1', 'cus_2'])).toBe('Separated from Stripe customers cus_1, cus_2');
  expect(separated(['cus_1'], 'metadata')).toBe(
    'Separated from Stripe customer cus_1, whose metadata no longer names it',
  );
  expect(separated(['cus_1'], 'user-id-key')).toBe(
    'Separated from Stripe customer cus_1, because the account’s metadata key changed',
  );
});

test('an address that names an event opens the events', () => {
  const opened = (address: string) => tabOf(new URLSearchParams(address));
  expect([opened(''), opened('event=evt_1'), opened('tab=history&event=evt_1'), opened('tab=other')]).toEqual(
    ['entitlements', 'events', 'history', 'entitlements'],
  );
});

test('the entitlements are filtered and searched, and the row that is edited stays', () => {
  const entitlement = (propertyId: string, decidedBy: Entitlement['decidedBy']) =>
    ({
      propertyId,
      decidedBy,
      feature: 'team',
      featureName: 'Team',
      property: propertyId,
      propertyName: propertyId,
    }) as Entitlement;
  const all = [entitlement('seats', 'default'), entitlement('rooms', { override: 'manual' })];
  const found = (changes: object) =>
    findEntitlements(all, { isOverriddenOnly: false, search: '', editedId: null, ...changes }).map(
      ({ propertyId }) => propertyId,
    );
  expect(found({})).toEqual(['seats', 'rooms']);
  expect(found({ search: 'team' })).toEqual(['seats', 'rooms']);
  expect(found({ search: 'seat' })).toEqual(['seats']);
  expect(found({ isOverriddenOnly: true })).toEqual(['rooms']);
  expect(found({ isOverriddenOnly: true, search: 'nothing', editedId: 'seats' })).toEqual(['seats']);
});

test('a meter says what each one costs, and the one that pays what it pays for', () => {
  const costs = (per: number, more: object = {}) => ({
    costs: { feature: 'ai', property: 'credits', per, allowed: true, remaining: 7_600, ...more },
  });
  const meters: readonly [string, string, object][] = [
    ['ai', 'credits', { state: 'metered' }],
    ['images', 'generations', { state: 'on', ...costs(4) }],
    ['chat', 'tokens', { state: 'off', ...costs(0.25, { allowed: false, remaining: 0 }) }],
    ['exports', 'rows', { state: 'on' }],
  ];
  const entitlements = meters.map(
    ([feature, property, meter]) =>
      ({ propertyId: `${feature}.${property}`, feature, property, meter }) as Entitlement,
  );
  expect(Object.fromEntries(costNotes(entitlements))).toEqual({
    'ai.credits': { text: 'Pays for images.generations (4 each), chat.tokens (0.25 each)', isUnpaid: false },
    'images.generations': { text: 'Each costs 4 of ai.credits, 7,600 left', isUnpaid: false },
    'chat.tokens': { text: 'Each costs 0.25 of ai.credits, 0 left', isUnpaid: true },
  });
  expect(costNotes(entitlements.slice(3)).size).toBe(0);
});
