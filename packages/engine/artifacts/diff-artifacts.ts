/**
 * Compares two artifacts, item by item and field by field. Items are matched by id: a renamed feature is modified, and a
 * feature that was deleted and created again with the same name is new.
 */

import type { MeterableValue, PropertyValue } from '#contracts/public/values';
import { compareText } from '../text/compare-text.ts';
import { costWords } from '../values/cost-words.ts';
import { perEntityOf } from '../values/kinds/per-entity.ts';
import type { ArtifactContent, ArtifactFeature, ArtifactPlan } from './artifact-content.ts';
import { type FieldChange, fieldChanges } from './field-changes.ts';

export type DiffItemType =
  | 'feature'
  | 'feature-property'
  | 'plan'
  | 'plan-value'
  | 'plan-product'
  | 'workflow'
  /** What holds for the whole workspace. */
  | 'workspace';

export interface DiffItem {
  type: 'add' | 'modify' | 'remove';
  itemType: DiffItemType;
  /** A display name with its parents, such as 'Pro › Exports › limit'. */
  itemName: string;
  /** The id. For a plan's values and products, the ids of all parts, joined by ':'. */
  itemId: string;
  /** The changed property of a feature, or the property that a plan's value sets; null for everything else. */
  property: PropertyName | null;
  /** At least one for a modified item. Every field of an added item changes from null, of a removed item to null. */
  changes: FieldChange[];
}

export interface PropertyName {
  readonly featureName: string;
  readonly name: string;
  readonly key: string;
}

/**
 * Features with their properties, then plans with their values and products, then workflows, each sorted by id; then what holds
 * for all of it, if there was a version before.
 */
export function diffArtifacts(from: ArtifactContent | null, to: ArtifactContent): DiffItem[] {
  // A meter that is renamed changes nothing of those that cost it, nor of those whose entities need a seat of it.
  const meters = new Map([...meterNames(from), ...meterNames(to)]);
  const before = itemsOf(from, meters);
  const after = itemsOf(to, meters);
  const keys = [...new Set([...before.keys(), ...after.keys()])].sort(compareText);
  return keys.flatMap((key) => diffItem(before.get(key), after.get(key)) ?? []);
}

interface Item {
  itemType: DiffItemType;
  itemName: string;
  itemId: string;
  property?: PropertyName | undefined;
  fields: Record<string, unknown>;
}

function diffItem(before: Item | undefined, after: Item | undefined): DiffItem | null {
  const item = after ?? before;
  if (item === undefined || (before === undefined && item.itemType === 'workspace')) return null;
  const changes = fieldChanges(before?.fields, after?.fields);
  const { itemType, itemName, itemId, property = null } = item;
  if (before !== undefined && after !== undefined && changes.length === 0) return null;
  const type = before === undefined ? 'add' : after === undefined ? 'remove' : 'modify';
  return { type, itemType, itemName, itemId, property, changes };
}

/** `feature.property` of every property, by id. */
type MeterNames = ReadonlyMap<string, string>;

function meterNames(content: ArtifactContent | null): [string, string][] {
  return (content?.features ?? []).flatMap(({ slug, properties }) =>
    properties.map(({ id, key }): [string, string] => [id, `${slug}.${key}`]),
  );
}

/** Keyed by the item's position in the diff. */
function itemsOf(content: ArtifactContent | null, meters: MeterNames): Map<string, Item> {
  const items = new Map<string, Item>();
  if (content === null) return items;
  for (const feature of content.features) addFeature(items, feature, meters);
  const names = propertyNames(content.features);
  for (const plan of content.plans) addPlan(items, plan, names, meters);
  for (const { id, name, ...fields } of content.workflows) {
    items.set(keyOf('3', id), {
      itemType: 'workflow',
      itemName: name,
      itemId: id,
      fields: { name, ...fields },
    });
  }
  items.set(keyOf('4'), {
    itemType: 'workspace',
    itemName: 'Comparing limits',
    itemId: 'workspace',
    fields: { limitOrder: content.limitOrder ?? 'limit' },
  });
  items.set(keyOf('5'), {
    itemType: 'workspace',
    itemName: 'Features that are off',
    itemId: 'switchesMeters',
    fields: { switchesMeters: content.switchesMeters === true },
  });
  items.set(keyOf('6'), {
    itemType: 'workspace',
    itemName: 'Time zone',
    itemId: 'zone',
    fields: { zone: content.zone ?? 'UTC' },
  });
  return items;
}

function addFeature(
  items: Map<string, Item>,
  { id, properties, ...fields }: ArtifactFeature,
  meters: MeterNames,
): void {
  items.set(keyOf('1', id), { itemType: 'feature', itemName: fields.name, itemId: id, fields });
  // What a property requires follows from values that the diff has.
  for (const { id: propertyId, requires: _, costs, ...own } of properties) {
    const cost = costs && costWords(costs.thousandths, meters.get(costs.propertyId) ?? costs.propertyId);
    items.set(keyOf('1', id, propertyId), {
      itemType: 'feature-property',
      itemName: named(fields.name, own.key),
      itemId: propertyId,
      property: { featureName: fields.name, name: own.name, key: own.key },
      fields: { ...own, costs: cost },
    });
  }
}

function addPlan(
  items: Map<string, Item>,
  { id, values, products, ...fields }: ArtifactPlan,
  names: ReadonlyMap<string, PropertyName>,
  meters: MeterNames,
): void {
  items.set(keyOf('2', id), { itemType: 'plan', itemName: fields.name, itemId: id, fields });
  for (const { featureId, propertyId, value } of values) {
    const property = names.get(propertyId);
    const label = property === undefined ? propertyId : named(property.featureName, property.key);
    items.set(keyOf('2', id, '1', featureId, propertyId), {
      itemType: 'plan-value',
      itemName: named(fields.name, label),
      itemId: `${id}:${featureId}:${propertyId}`,
      property,
      fields: { value: withSeatsNamed(value, meters) },
    });
  }
  for (const { priceId, ...product } of products) {
    const { integrationId, productId } = product;
    const price = priceId === undefined ? [] : [priceId];
    items.set(keyOf('2', id, '2', integrationId, productId, ...price), {
      itemType: 'plan-product',
      itemName: named(fields.name, productId, ...price),
      itemId: [id, integrationId, productId, ...price].join(':'),
      fields: { ...product, priceId },
    });
  }
}

function withSeatsNamed(value: PropertyValue, meters: MeterNames): PropertyValue {
  const perEntity = typeof value === 'object' ? perEntityOf(value) : undefined;
  if (perEntity?.seats === undefined) return value;
  const seats = meters.get(perEntity.seats) ?? perEntity.seats;
  return { ...(value as MeterableValue), perEntity: { ...perEntity, seats } } as MeterableValue;
}

function propertyNames(features: readonly ArtifactFeature[]): Map<string, PropertyName> {
  return new Map(
    features.flatMap(({ name: featureName, properties }) =>
      properties.map(({ id, name, key }) => [id, { featureName, name, key }] as const),
    ),
  );
}

function named(...parts: string[]): string {
  return parts.join(' › ');
}

/** Ids contain no control characters, so keys are unique and an item's children follow it. */
function keyOf(...parts: string[]): string {
  return parts.join('\u0000');
}
