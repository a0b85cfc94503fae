/**
 * Describes the changed fields of a diff item for display. A diff lists single fields ('value.meter.limit'). If it
 * contains every field of a property's value, this module reassembles the value and formats it as a whole.
 */
import type { DiffItem } from '#contracts/console/artifacts';
import { type WorkflowType, workflowTypeSchema } from '#contracts/console/workflows';
import { overageSchema } from '#contracts/public/overage';
import { rolloverSchema } from '#contracts/public/rollover';
import {
  conflictResolutionSchema,
  type NumberBounds,
  numberBoundsSchema,
  type PropertyType,
  type PropertyValue,
  perEntitySchema,
  propertyTypeSchema,
  propertyValueSchema,
} from '#contracts/public/values';
import { typeOfValue } from '#engine/values/kinds/type-of-value';
import { limitWindow } from '#engine/values/limit-window';
import { rolloverWords } from '#engine/values/rollover-words';
import { counted, formatNumber } from '#web/ui/format.ts';
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
  ['value.perEntity', 'Each member may use'],
  ['value.perEntity.limit', 'Limit of each member'],
  ['value.perEntity.periodType', 'Period of each member'],
  ['value.perEntity.periodCount', 'Period count of each member'],
  ['value.perEntity.periodLength', 'Period length of each member'],
  ['value.perEntity.seats', 'Seats of members'],
  ['value.meter.rollover', 'Unused'],
  ['value.meter.rollover.max', 'Rolls over at most'],
  ['value.meter.rollover.share', 'Percent that rolls over'],
  ['value.meter.rollover.lasts', 'What rolls over lasts'],
  ['value.meter.rollover.times', 'Times that it rolls over'],
  ['value.meter.overage', 'Overage'],
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
  ['zone', 'Time zone of calendar periods'],
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
/** What a field means that one side does not have, while the other does. */
const ABSENT = new Map([
  ['costs', 'nothing'],
  ['value.costs.per', 'what the property says'],
  ['value.meter.rollover.share', '100'],
  ['value.meter.rollover.times', '1'],
  ['value.meter.trialLimit', 'the same'],
  ['value.perEntity.seats', 'not needed'],
  ['balanceOpens', 'off'],
]);

interface Part {
  readonly path: string;
  /** Null: the diff has not all of it. */
  readonly text: (fields: unknown) => string | null;
  /** Of a side that does not have the part. */
  readonly absent: string;
}

/** Several fields that read as one, wherever the diff has all of them on a side. */
const PARTS: readonly Part[] = [
  {
    path: 'value.meter.overage',
    text: (fields) => {
      const overage = overageSchema.safeParse(fields);
      if (!overage.success || overage.data === 'none') return null;
      return overage.data === 'allow' ? 'any amount' : `up to ${formatNumber(overage.data.upTo)}`;
    },
    absent: 'none',
  },
  {
    path: 'value.meter.rollover',
    text: (fields) => {
      const rollover = rolloverSchema.safeParse(fields);
      return rollover.success ? rolloverWords(rollover.data) : null;
    },
    absent: 'is lost',
  },
  {
    path: 'value.meter.rollover.lasts',
    text: (fields) => {
      if (fields === 'forever') return 'without an end';
      const { months } = Object(fields) as { months?: unknown };
      return typeof months === 'number' ? counted(months, 'month') : null;
    },
    absent: 'none',
  },
  {
    path: 'value.perEntity',
    text: (fields) => {
      const { seats, ...window } = Object(fields) as { seats?: unknown };
      const perEntity = perEntitySchema.safeParse(window);
      if (!perEntity.success) return null;
      const needed = seats === undefined ? '' : `, with a seat of ${seats}`;
      return `${formatNumber(perEntity.data.limit)} ${limitWindow({ ...perEntity.data, uniqueResourceIds: false })}${needed}`;
    },
    absent: 'no limit of its own',
  },
];

/** Display order of the most relevant fields. */
const ORDER = ['value', 'type', 'name', 'slug', 'conflictResolution', 'description'];

/** Returns one line per changed field, the value first. */
export function describeChanges({ type, itemType, changes: all }: DiffItem): ChangeLine[] {
  const value = wholeValue(all);
  const isWhole = type !== 'modify';
  const changes = value === null ? PARTS.reduce(withPart, all) : all;
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
  const shown =
    value === null ? lines : [{ path: 'value', label: labelOf('value', itemType), ...value }, ...lines];
  return shown
    .sort((one, other) => orderOf(one.path) - orderOf(other.path))
    .map(({ label, from, to }) => ({ label, from, to }));
}

/** With the part as one field of text, if both sides have all of it or nothing. */
function withPart(changes: readonly Change[], { path, text, absent }: Part): readonly Change[] {
  const isOfPart = (change: Change) => change.path === path || change.path.startsWith(`${path}.`);
  const at = changes.findIndex(isOfPart);
  if (at < 0) return changes;
  const [from, to] = (['from', 'to'] as const).map((side) => {
    const fields = fieldAt(nest(changes, side), path);
    return fields === undefined ? absent : text(plain(fields));
  });
  if (from == null || to == null) return changes;
  return changes
    .toSpliced(at, 1, { path, from, to })
    .filter((change) => change.path === path || !isOfPart(change));
}

function fieldAt(nested: Nested, path: string): unknown {
  let at: unknown = nested;
  for (const name of path.split('.')) at = at instanceof Map ? at.get(name) : undefined;
  return at;
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
  if (field === null || field === undefined) {
    const absent = isWhole ? undefined : ABSENT.get(path);
    return absent === undefined ? null : { kind: 'text', text: absent };
  }
  if (path === 'compiled' || (path === 'source' && isWhole)) {
    return { kind: 'text', text: linesOf(String(field)) };
  }
  if (path === 'source') return { kind: 'source', text: String(field) };
  if (path === 'type' && isWorkflowType(field)) return { kind: 'text', text: WORKFLOW_TYPES[field] };
  if (path === 'value.meter.periodType' || path === 'value.perEntity.periodType')
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
