/**
 * What one version answers a customer differently from another, value by value. Properties are matched by id, as in the diff of two
 * versions. The property's own rule says which of two values is more: with `lower`, the smaller one is.
 */
import type { PropertyValue } from '#contracts/public/values';
import type { LimitOrder } from '../artifacts/artifact-content.ts';
import { kindOf } from '../values/kinds/kinds.ts';
import { SYSTEM_PROPERTY } from '../values/system-property.ts';
import { costIn } from './cost-in.ts';
import type { PreparedCost, PreparedProperty } from './prepared-artifact.ts';
import type { Resolution } from './resolution.ts';
import { resolvedValue } from './resolve.ts';

/** From the worst. `less` and `more` leave the customer something; `loses` and `gains` turn it off or on. Texts only change. */
export const CHANGE_KINDS = ['loses', 'less', 'changes', 'more', 'gains'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

export interface ValueChange {
  readonly kind: ChangeKind;
  /** As in the newer version, unless only the older one has it. */
  readonly property: PreparedProperty;
  /** Null: that version does not have the property. */
  readonly before: PropertyValue | null;
  readonly after: PropertyValue | null;
  /** Of a change of what each one costs, beside the values. Absent: the value changes. */
  readonly costs?: CostChange;
}

/** What each one costs; null: nothing. */
export interface CostChange {
  readonly before: PreparedCost | null;
  readonly after: PreparedCost | null;
}

/**
 * A property that one version does not have counts there with its default, so adding one that nothing configures changes nothing.
 * @returns in the order of the newer version's properties; those that only the older one has come last
 */
export function compareResolutions(before: Resolution, after: Resolution): ValueChange[] {
  const changes = after.prepared.properties.flatMap((property) => {
    const former = before.prepared.propertyById.get(property.property.id);
    const values = { before: former && resolvedValue(before, former), after: resolvedValue(after, property) };
    const changed = changeOf(property, values, after.prepared.limitOrder);
    return former === undefined
      ? changed
      : [...changed, ...costChangeOf([before, former], [after, property])];
  });
  const gone = before.prepared.properties.flatMap((property) =>
    after.prepared.propertyById.has(property.property.id)
      ? []
      : changeOf(property, { before: resolvedValue(before, property) }, after.prepared.limitOrder),
  );
  return [...changes, ...gone];
}

/** A feature that is turned on or off says it for all of its properties. */
export function leadingChanges<Change extends ValueChange>(changes: readonly Change[]): readonly Change[] {
  const isOfFeature = ({ property }: ValueChange) => isSwitch(property);
  const switched = new Set(changes.filter(isOfFeature).map(({ property }) => property.feature.id));
  return changes.filter((change) => isOfFeature(change) || !switched.has(change.property.feature.id));
}

/** The worst of several changes. Undefined if there is none. */
export function worstKind(changes: readonly Pick<ValueChange, 'kind'>[]): ChangeKind | undefined {
  return CHANGE_KINDS.find((kind) => changes.some((change) => change.kind === kind));
}

interface Values {
  readonly before?: PropertyValue | undefined;
  readonly after?: PropertyValue | undefined;
}

function changeOf(property: PreparedProperty, values: Values, limitOrder: LimitOrder): ValueChange[] {
  const fallback = property.property.value;
  const { before = fallback, after = fallback } = values;
  const kind = changeKindOf(property, before, after, limitOrder);
  return kind === null
    ? []
    : [{ kind, property, before: values.before ?? null, after: values.after ?? null }];
}

type Side = readonly [Resolution, PreparedProperty];

/** Of a meter that is off before or after, the value alone says what changes. */
function costChangeOf(old: Side, next: Side): ValueChange[] {
  const [before, after] = [resolvedValue(...old), resolvedValue(...next)];
  if ([before, after].some((value) => typeof value !== 'object' || value.state === 'off')) return [];
  const costs = { before: costIn(...old), after: costIn(...next) };
  const kind = costKindOf(costs, isPaid(old), isPaid(next));
  return kind === null ? [] : [{ kind, property: next[1], before, after, costs }];
}

/** Whether the meter that pays is not off. */
function isPaid([resolution, { cost }]: Side): boolean {
  const value = cost && resolvedValue(resolution, cost.payer);
  return typeof value !== 'object' || value?.state !== 'off';
}

/** Null: it costs the same, or could not be paid before either. What cannot be paid at all is lost. */
function costKindOf({ before, after }: CostChange, wasPaid: boolean, isPaid: boolean): ChangeKind | null {
  const isSamePayer = before?.payer.property.id === after?.payer.property.id;
  const difference = (after?.thousandths ?? 0) - (before?.thousandths ?? 0);
  if ((isSamePayer && difference === 0) || !(wasPaid || isPaid)) return null;
  if (wasPaid !== isPaid) return isPaid ? 'gains' : 'loses';
  if (!isSamePayer && before !== null && after !== null) return 'changes';
  return difference > 0 ? 'less' : 'more';
}

/** Null: both are the same. */
function changeKindOf(
  { type, property: { conflictResolution } }: PreparedProperty,
  before: PropertyValue,
  after: PropertyValue,
  limitOrder: LimitOrder,
): ChangeKind | null {
  if (typeof before !== typeof after) return 'changes';
  const { compare, isGraded, isOff } = kindOf(type);
  const difference = compare(after, before, limitOrder);
  if (difference === 0) return null;
  if (!isGraded) return 'changes';
  const isMore = difference > 0 === (conflictResolution !== 'lower');
  if (isMore) return isOff(before) ? 'gains' : 'more';
  return isOff(after) ? 'loses' : 'less';
}

/** Whether the property turns its feature on and off. */
export function isSwitch({ property }: PreparedProperty): boolean {
  return property.isSystem && property.key === SYSTEM_PROPERTY.key;
}
