import { describe, expect, it } from 'vitest';
import { compileArtifact, type Workspace } from '#engine/artifacts/compile-artifact';
import { activeProducts } from '#engine/entitlements/active-products';
import { plansOf } from '#engine/entitlements/plans-of';
import { prepare } from '#engine/entitlements/prepare';
import { resolve } from '#engine/entitlements/resolve';
import { planRow, SMALL } from '../small-workspace.ts';

const preparedOf = (rows: Workspace) => prepare(compileArtifact(rows));

describe('the plans of a subject', () => {
  const prepared = preparedOf({
    ...SMALL,
    planValues: [],
    plans: [
      planRow('plan_a', 'anonymous', true, false),
      planRow('plan_b', 'registered', false, true),
      planRow('plan_c', 'pro', false, false),
      planRow('plan_d', 'gift', false, false),
    ],
    planProducts: [
      { planId: 'plan_c', integrationId: 'int_1', productId: 'prod_1' },
      { planId: 'plan_c', integrationId: 'int_2', productId: 'prod_1' },
      { planId: 'plan_d', integrationId: 'int_1', productId: '__proto__' },
    ],
  });
  const slugsOf = (subject: Parameters<typeof plansOf>[1]) =>
    resolve(prepared, plansOf(prepared, subject)).planSlugs;
  const products = [{ integrationId: 'int_1', productId: 'prod_1' }];

  it('are the anonymous plans if the subject is not authenticated, whatever else is given', () => {
    expect(slugsOf({ isAuthenticated: false })).toEqual(['anonymous']);
    expect(slugsOf({ isAuthenticated: false, products, grantedPlanIds: ['plan_d'] })).toEqual(['anonymous']);
  });

  it('are the plans for authenticated users, of active products, and manual grants, each once', () => {
    expect(slugsOf({ isAuthenticated: true })).toEqual(['registered']);
    expect(slugsOf({ isAuthenticated: true, products: [...products, ...products] })).toEqual([
      'registered',
      'pro',
    ]);
    expect(slugsOf({ isAuthenticated: true, products, grantedPlanIds: ['plan_d', 'plan_c'] })).toEqual([
      'registered',
      'pro',
      'gift',
    ]);
  });

  it('never come from a product of another integration, an unknown id or a prototype property', () => {
    const none = ['int_3', '__proto__', 'constructor'].map((integrationId) => ({
      integrationId,
      productId: 'prod_1',
    }));
    expect(slugsOf({ isAuthenticated: true, products: none })).toEqual(['registered']);
    const hostile = ['constructor', 'toString', 'prod_9'].map((productId) => ({
      integrationId: 'int_1',
      productId,
    }));
    expect(slugsOf({ isAuthenticated: true, products: hostile })).toEqual(['registered']);
    expect(slugsOf({ isAuthenticated: true, grantedPlanIds: ['__proto__', 'gift'] })).toEqual(['registered']);
    const named = [{ integrationId: 'int_1', productId: '__proto__' }];
    expect(slugsOf({ isAuthenticated: true, products: named })).toEqual(['registered', 'gift']);
  });

  it('follow provisioning: replacements replace the list, additions extend it, unknown slugs are reported', () => {
    const add = { plans: ['gift', '__proto__'], mode: 'add' } as const;
    const replace = { plans: ['pro'], mode: 'replace' } as const;
    expect(slugsOf({ isAuthenticated: false, provisioned: [add] })).toEqual(['anonymous', 'gift']);
    expect(slugsOf({ isAuthenticated: true, products, provisioned: [replace] })).toEqual(['pro']);
    expect(slugsOf({ isAuthenticated: true, provisioned: [add, replace] })).toEqual(['pro', 'gift']);
    expect(slugsOf({ isAuthenticated: true, provisioned: [replace, add] })).toEqual(['pro', 'gift']);
    expect(slugsOf({ isAuthenticated: true, provisioned: [{ plans: [], mode: 'replace' }] })).toEqual([]);
    const claimed = { isAuthenticated: false, products, grantedPlanIds: ['plan_c'] };
    expect(slugsOf({ ...claimed, provisioned: [add] })).toEqual(['anonymous', 'gift']);
    const known = plansOf(prepared, { isAuthenticated: false });
    expect(known.unknownPlanSlugs).toEqual([]);
    expect(plansOf(prepared, { isAuthenticated: false, provisioned: [add] }).unknownPlanSlugs).toEqual([
      '__proto__',
    ]);
  });

  it('leave out add-ons unless another plan applies, wherever each comes from', () => {
    const withAddOns = preparedOf({
      ...SMALL,
      planValues: [],
      planProducts: [{ planId: 'plan_c', integrationId: 'int_1', productId: 'prod_1' }],
      plans: [
        { ...planRow('plan_a', 'everyones-extra', true, true), isAddOn: true },
        { ...planRow('plan_b', 'seats', false, false), isAddOn: true },
        planRow('plan_c', 'pro', false, false),
      ],
    });
    const slugs = (subject: Parameters<typeof plansOf>[1]) =>
      resolve(withAddOns, plansOf(withAddOns, subject)).planSlugs;
    expect(slugs({ isAuthenticated: false })).toEqual([]);
    expect(slugs({ isAuthenticated: true })).toEqual([]);
    expect(slugs({ isAuthenticated: true, grantedPlanIds: ['plan_b'] })).toEqual([]);
    expect(slugs({ isAuthenticated: true, grantedPlanIds: ['plan_b'], products })).toEqual([
      ...['everyones-extra', 'seats', 'pro'],
    ]);
    const provided = { isAuthenticated: false, provisioned: [{ plans: ['pro'], mode: 'add' as const }] };
    expect(slugs(provided)).toEqual(['everyones-extra', 'pro']);
    const replaced = { plans: ['seats'], mode: 'replace' as const };
    expect(slugs({ isAuthenticated: true, products, provisioned: [replaced] })).toEqual([]);
  });

  it('count active, trialing and past_due subscriptions only, and in live environments live mode only', () => {
    const of = (status: string, livemode: boolean) => ({
      integrationId: 'int_1',
      status,
      livemode,
      productIds: ['p'],
    });
    const granted = (status: string, livemode: boolean, type: 'live' | 'test' | 'preview') =>
      activeProducts([of(status, livemode)], { environmentType: type }, 0).length === 1;
    for (const status of ['active', 'trialing', 'past_due']) {
      expect(granted(status, true, 'live')).toBe(true);
      expect(granted(status, false, 'live')).toBe(false);
      for (const type of ['test', 'preview'] as const) {
        expect(granted(status, true, type)).toBe(true);
        expect(granted(status, false, type)).toBe(true);
      }
    }
    for (const status of [
      'canceled',
      'unpaid',
      'incomplete',
      'incomplete_expired',
      'paused',
      'constructor',
      '',
    ]) {
      expect(granted(status, true, 'preview')).toBe(false);
    }
  });
});
