// What the dialog of a property sends, and what it refuses to send.
import { describe, expect, test } from 'vitest';
import type { FeatureProperty } from '#contracts/console/features';
import {
  boundsOf,
  checkPropertyForm,
  createBodyOf,
  formValuesOf,
  NEW_PROPERTY,
  ofType,
  updateBodyOf,
} from '../../web/domains/features/property-form.ts';
import { isContained, type WorkspaceItem } from '../../web/forms/still-deployed-query.ts';

const named = { ...NEW_PROPERTY, name: 'Rows', propertyKey: 'rows' };
const rows: FeatureProperty = {
  id: 'prop_1',
  name: 'Rows',
  propertyKey: 'rows',
  description: null,
  type: 'number',
  value: 5,
  bounds: { min: 1, max: 10, allowDecimal: false },
  conflictResolution: 'higher',
  costs: null,
  balanceOpens: false,
  createdAt: 1,
  updatedAt: 1,
};

describe('bounds', () => {
  test('are none where anything goes, and for whatever is no number', () => {
    expect(boundsOf({ ...named, type: 'number', allowDecimal: true })).toBeNull();
    expect(boundsOf({ ...named, type: 'boolean', min: 1 })).toBeNull();
  });

  test('leave out what is not bounded', () => {
    expect(boundsOf({ ...named, type: 'number', min: 0 })).toEqual({ min: 0, allowDecimal: false });
    expect(boundsOf({ ...named, type: 'number' })).toEqual({ allowDecimal: false });
  });

  test('that contradict each other are reported on the bounds, not on the default', () => {
    const values = { ...named, type: 'number', value: 5, min: 20, max: 10 } as const;
    expect(checkPropertyForm(values, 'new')).toEqual({
      min: 'Minimum value must be less than or equal to maximum value',
    });
    expect(checkPropertyForm({ ...values, min: Number.NaN }, 'new')).toEqual({ min: 'Must be a number' });
    expect(checkPropertyForm({ ...values, min: 0.5, max: null }, 'new')).toEqual({
      min: 'Minimum value must be an integer when decimal values are not allowed',
    });
  });
});

describe('what is entered', () => {
  test('of a new property needs a name and a key, of a system property neither', () => {
    expect(checkPropertyForm(NEW_PROPERTY, 'new')).toEqual({ name: 'Required', propertyKey: 'Required' });
    expect(checkPropertyForm(NEW_PROPERTY, 'system')).toEqual({});
  });

  test('of a key that is too long is refused while it can be changed, and left alone where it cannot', () => {
    const values = { ...named, propertyKey: 'k'.repeat(26) };
    expect(checkPropertyForm(values, 'new')).toEqual({ propertyKey: 'Must be at most 25 characters' });
    expect(checkPropertyForm(values, 'existing')).toEqual({});
  });

  test('of a default outside of its bounds is refused', () => {
    expect(checkPropertyForm({ ...formValuesOf(rows), value: 11 }, 'existing')).toEqual({
      value: 'Must be less than or equal to 10',
    });
  });
});

describe('what is sent', () => {
  test('of an unchanged property is nothing', () => {
    expect(updateBodyOf(formValuesOf(rows), formValuesOf(rows))).toEqual({});
    const unbounded = formValuesOf({ ...rows, bounds: { allowDecimal: true } });
    expect(updateBodyOf(unbounded, unbounded)).toEqual({});
  });

  test('of an edit is what was changed; bounds go whole', () => {
    const base = formValuesOf(rows);
    expect(updateBodyOf(base, { ...base, max: 20 })).toEqual({
      bounds: { min: 1, max: 20, allowDecimal: false },
    });
    expect(updateBodyOf(base, { ...base, min: null, max: null, allowDecimal: true })).toEqual({
      bounds: null,
    });
    expect(updateBodyOf(base, { ...base, value: 7, description: 'More' })).toEqual({
      value: 7,
      description: 'More',
    });
  });

  test('has whether a balance opens the feature only if that changed, and of meters alone', () => {
    const base = { ...named, type: 'meterable', value: { state: 'on' } } as const;
    const opens = { ...base, balanceOpens: true };
    expect(updateBodyOf(base, opens)).toEqual({ balanceOpens: true });
    expect(updateBodyOf(opens, opens)).toEqual({});
    expect(createBodyOf(opens)).toMatchObject({ balanceOpens: true });
    expect(createBodyOf({ ...opens, ...ofType('number', opens) })).toMatchObject({ balanceOpens: false });
  });

  test('has what each one costs only if that changed', () => {
    const base = { ...named, type: 'meterable', value: { state: 'on' } } as const;
    const costs = { propertyId: 'prop_credits', per: 0.25 };
    expect(updateBodyOf(base, { ...base, costs })).toEqual({ costs });
    expect(updateBodyOf({ ...base, costs }, base)).toEqual({ costs: null });
    expect(updateBodyOf({ ...base, costs }, { ...base, costs: { ...costs } })).toEqual({});
    expect(createBodyOf({ ...base, costs })).toMatchObject({ costs });
    expect(createBodyOf({ ...base, ...ofType('number', { ...base, costs }) })).toMatchObject({ costs: null });
    const errorOf = (per: number | null) =>
      checkPropertyForm({ ...base, costs: { ...costs, per } }, 'existing');
    expect([null, Number.NaN].map(errorOf)).toEqual([
      { 'costs.per': 'Required' },
      { 'costs.per': 'Must be a number' },
    ]);
    expect(errorOf(0.0001)).toEqual({ 'costs.per': 'Must be greater than or equal to 0.001' });
    expect(errorOf(0.1234)).toEqual({ 'costs.per': 'Must have at most three decimal places' });
    expect(errorOf(0.125)).toEqual({});
  });

  test('of a new property is the value in its one spelling', () => {
    const meter = { limit: 3, periodType: 'lifetime', periodCount: 2, uniqueResourceIds: false } as const;
    expect(createBodyOf({ ...named, type: 'meterable', value: { state: 'metered', meter } })).toMatchObject({
      type: 'meterable',
      bounds: null,
      value: { state: 'metered', meter: { limit: 3, periodType: 'lifetime', uniqueResourceIds: false } },
    });
  });
});

test('a deployed version contains what a diff to the workspace does not add, and what it removes', () => {
  const items = [
    { type: 'add', itemType: 'feature', itemName: 'New', itemId: 'feat_new', changes: [] },
    { type: 'modify', itemType: 'feature', itemName: 'Old', itemId: 'feat_old', changes: [] },
    { type: 'add', itemType: 'feature-property', itemName: 'Of old', itemId: 'prop_new', changes: [] },
    { type: 'remove', itemType: 'workflow', itemName: 'Off', itemId: 'wf_off', changes: [] },
  ] as const;
  const isIn = (item: WorkspaceItem) => isContained({ items: [...items] as never }, item);
  expect(isIn({ itemType: 'feature', itemId: 'feat_new' })).toBe(false);
  expect(isIn({ itemType: 'feature', itemId: 'feat_old' })).toBe(true);
  expect(isIn({ itemType: 'feature', itemId: 'feat_same' })).toBe(true);
  expect(isIn({ itemType: 'feature-property', itemId: 'prop_new' })).toBe(false);
  expect(isIn({ itemType: 'workflow', itemId: 'wf_off', isInWorkspace: false })).toBe(true);
  expect(isIn({ itemType: 'workflow', itemId: 'wf_never', isInWorkspace: false })).toBe(false);
});
