/**
 * Describes the changed fields of a diff item for display. A diff lists single fields ('value.meter.limit'). If it
 * contains every field of a property's value, this module reassembles the value and formats it as a whole.
 */
import type { DiffItem } from '#contracts/console/artifacts';
import { type WorkflowType, workflowTypeSchema } from '#contracts/console/workflows';
import {
  conflictResolutionSchema,
  type NumberBounds,
  numberBoundsSchema,
  type PropertyType,
  type PropertyValue,
  propertyTypeSchema,
  propertyValueSchema,
} from '#contracts/public/values';
import { typeOfValue } from '#engine/values/kinds/type-of-value';
import { counted } from '#web/ui/format.ts';
import { viewOf } from '#web/values/kinds/views.ts';

/** How one side of a change is displayed. */
export type Shown =
  | {
      readonly kind: 'value';
      readonly type: PropertyType | null;
      readonly value: PropertyValue;
      readonly bounds: NumberBounds | null;
    }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  /** A program, shown side by side. */
  | { readonly kind: 'source'; readonly text: string };

export interface ChangeLine {
  readonly label: string;
  /** Null on the missing side of an addition or removal. */
  readonly from: Shown | null;
  readonly to: Shown | null;
}

type Change = DiffItem['changes'][number];
type Side = 'from' | 'to';

const LABELS = new Map([
  ['name', 'Name'],
  ['slug', 'Slug'],
  ['key', 'Key'],
  ['description', 'Description'],
  ['type', 'Type'],
  ['value', 'Value'],
  ['value.state', 'State'],
  ['value.meter.limit', 'Limit'],
  ['value.meter.periodType', 'Period'],
  ['value.meter.periodCount', 'Period count'],
  ['value.meter.periodLength', 'Period length'],
  ['value.meter.trialLimit', 'Limit in a trial'],
  ['value.perEntity.limit', 'Limit of each member'],
  ['value.perEntity.periodType', 'Period of each member'],
  ['value.perEntity.periodCount', 'Period count of each member'],
  ['value.perEntity.periodLength', 'Period length of each member'],
  ['value.perEntity.seats', 'Seats of members'],
  ['value.meter.rollover.max', 'Rolls over at most'],
  ['value.meter.rollover.share', 'Percent that rolls over'],
  ['value.meter.rollover.lasts', 'What rolled over lasts'],
  ['value.meter.rollover.lasts.months', 'Months that it lasts'],
  ['value.meter.rollover.times', 'Times that it rolls over'],
  ['value.meter.overage', 'Overage'],
  ['value.meter.overage.upTo', 'Overage up to'],
  ['value.meter.uniqueResourceIds', 'Each resource counts once'],
  ['bounds.min', 'Minimum'],
  ['bounds.max', 'Maximum'],
  ['bounds.allowDecimal', 'Decimals allowed'],
  ['conflictResolution', 'When plans differ'],
  ['costs', 'Each one costs'],
  ['balanceOpens', 'A balance opens the feature'],
  ['value.costs.per', 'Each one costs'],
  ['grantToAnonymousSessions', 'Assign to Anonymous Users'],
  ['grantToAuthenticatedUsers', 'Assign to Registered Users'],
  ['isAddOn', 'Add-on'],
  ['isPublic', 'Shown publicly'],
  ['limitOrder', 'The larger limit'],
  ['zone', 'Calendar periods begin by the clock of'],
  ['switchesMeters', 'Their meters are off too'],
  ['integrationId', 'Integration'],
  ['productId', 'Stripe ID'],
  ['priceId', 'Price ID'],
  ['timesQuantity', 'Times quantity'],
  ['featureId', 'Feature'],
  ['source', 'Code'],
  ['compiled', 'Compiled code'],
]);

const WORKFLOW_TYPES: Readonly<Record<WorkflowType, string>> = {
  'dynamic-provisioning': 'Dynamic Provisioning',
  'feature-behaviour': 'Feature Behaviour',
};

/** Internal fields, and fields that the row's label already shows. */
const SILENT = new Set(['isSystem', 'key', 'integrationId']);
const CODES = new Set(['slug', 'key', 'integrationId', 'productId', 'priceId', 'featureId']);
const LIMIT_ORDERS = new Map([
  ['limit', 'The larger number, whatever the period'],
  ['rate', 'More in the same time: 1,000 an hour over 5,000 a month'],
]);
const PERIODS = new Map([
  ['fixed', 'in the last …'],
  ['rolling', 'every …'],
  ['billing', 'every billing …'],
  ['lifetime', 'in a lifetime'],
]);
/** Display order of the most relevant fields. */
const ORDER = ['value', 'type', 'name', 'slug', 'conflictResolution', 'description'];

/** Returns one line per changed field, the value first. */
export function describeChanges({ type, itemType, changes }: DiffItem): ChangeLine[] {
  const value = wholeValue(changes);
  const isWhole = type !== 'modify';
  const hasSource = changes.some(({ path }) => path === 'source');
  const isSystem = changes.some(({ path, from, to }) => path === 'isSystem' && (from ?? to) === true);
  const lines = changes
    .filter(({ path }) => !SILENT.has(path) && !(value !== null && isOfValue(path)))
    .filter(({ path }) => !(path === 'compiled' && hasSource))
    // A whole added or removed property shows its bounds beside the value. System properties need no explanation.
    .filter(({ path }) => !(isWhole && (path.startsWith('bounds.') || isSystem)))
    .map((change): ChangeLine & { path: string } => ({
      path: change.path,
      label: labelOf(change.path, itemType),
      from: shownField(change, 'from', { type: typeIn(changes), isWhole }),
      to: shownField(change, 'to', { type: typeIn(changes), isWhole }),
    }));
  const all =
    value === null ? lines : [{ path: 'value', label: labelOf('value', itemType), ...value }, ...lines];
  return all
    .sort((one, other) => orderOf(one.path) - orderOf(other.path))
    .map(({ label, from, to }) => ({ label, from, to }));
}

const isOfValue = (path: string) => path === 'value' || path.startsWith('value.');

function orderOf(path: string): number {
  const at = ORDER.indexOf(isOfValue(path) ? 'value' : path);
  return at < 0 ? ORDER.length : at;
}

function labelOf(path: string, itemType: DiffItem['itemType']): string {
  if (path === 'value' && itemType === 'feature-property') return 'Default';
  return LABELS.get(path) ?? path;
}

/** Both sides of the reassembled value. Null if the diff lacks a field of it because that field did not change. */
function wholeValue(changes: readonly Change[]): Pick<ChangeLine, 'from' | 'to'> | null {
  if (!changes.some(({ path }) => isOfValue(path))) return null;
  const from = sideValue(changes, 'from');
  const to = sideValue(changes, 'to');
  return from === undefined || to === undefined ? null : { from, to };
}

/** Null if this side has no value. Undefined if the diff contains only part of it. */
function sideValue(changes: readonly Change[], side: Side): Shown | null | undefined {
  const nested = nest(changes, side);
  const value = nested.get('value');
  if (value === undefined) return null;
  const parsed = propertyValueSchema.safeParse(plain(value));
  if (!parsed.success) return undefined;
  const type = propertyTypeSchema.safeParse(nested.get('type'));
  const bounds = numberBoundsSchema.safeParse(plain(nested.get('bounds')));
  return {
    kind: 'value',
    type: type.success ? type.data : typeOfValue(parsed.data),
    value: parsed.data,
    bounds: bounds.success ? bounds.data : null,
  };
}

type Nested = Map<string, unknown>;

/** Nests 'value.meter.limit' into maps. Fields that are missing on this side are omitted. */
function nest(changes: readonly Change[], side: Side): Nested {
  const root: Nested = new Map();
  for (const change of changes) {
    if (change[side] === null || change[side] === undefined) continue;
    const names = change.path.split('.');
    const last = names.pop() ?? '';
    let at = root;
    for (const name of names) {
      const next = at.get(name);
      const inner: Nested = next instanceof Map ? next : new Map();
      at.set(name, inner);
      at = inner;
    }
    at.set(last, change[side]);
  }
  return root;
}

function plain(value: unknown): unknown {
  if (!(value instanceof Map)) return value;
  return Object.fromEntries([...value].map(([name, inner]) => [name, plain(inner)]));
}

/** A property's type is immutable: an added or removed property lists it, otherwise the value implies it. */
function typeIn(changes: readonly Change[]): PropertyType | null {
  const stated = changes.find(({ path }) => path === 'type');
  const type = propertyTypeSchema.safeParse(stated?.to ?? stated?.from);
  if (type.success) return type.data;
  const shown = wholeValue(changes);
  const value = shown?.to ?? shown?.from;
  return value?.kind === 'value' ? value.type : null;
}

function resolutionText(field: unknown, type: PropertyType | null): string {
  const resolution = conflictResolutionSchema.safeParse(field);
  if (resolution.success && type !== null) return viewOf(type).ruleLabel(resolution.data, undefined);
  return `The ${String(field)} value wins`;
}

interface ItemFacts {
  /** Of the property. */
  readonly type: PropertyType | null;
  readonly isWhole: boolean;
}

function shownField(change: Change, side: Side, { type, isWhole }: ItemFacts): Shown | null {
  const { path, [side]: field } = change;
  if (path === 'costs' && field === null && !isWhole) return { kind: 'text', text: 'nothing' };
  if (path === 'value.costs.per' && field === null) return { kind: 'text', text: 'what the property says' };
  if (field === null || field === undefined) return null;
  if (path === 'compiled' || (path === 'source' && isWhole)) {
    return { kind: 'text', text: linesOf(String(field)) };
  }
  if (path === 'source') return { kind: 'source', text: String(field) };
  if (path === 'type' && isWorkflowType(field)) return { kind: 'text', text: WORKFLOW_TYPES[field] };
  if (path === 'value.meter.periodType')
    return { kind: 'text', text: PERIODS.get(String(field)) ?? String(field) };
  if (path === 'limitOrder') return { kind: 'text', text: LIMIT_ORDERS.get(String(field)) ?? String(field) };
  if (path === 'conflictResolution') return { kind: 'text', text: resolutionText(field, type) };
  if (CODES.has(path)) return { kind: 'code', text: String(field) };
  if (typeof field === 'boolean') return { kind: 'value', type: 'boolean', value: field, bounds: null };
  if (typeof field === 'number') return { kind: 'value', type: 'number', value: field, bounds: null };
  return { kind: 'text', text: String(field) };
}

function isWorkflowType(field: unknown): field is WorkflowType {
  return workflowTypeSchema.safeParse(field).success;
}

function linesOf(code: string): string {
  return counted(code.trimEnd().split('\n').length, 'line');
}
