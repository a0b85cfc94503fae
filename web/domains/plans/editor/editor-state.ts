/**
 * The reducer of a plan's feature editor. An action replaces the maps of the one feature that it names; all other maps
 * keep their identity.
 */
import type { PlanVersion } from '#contracts/console/plans';
import type { NumberBounds, PropertyType, PropertyValue } from '#contracts/public/values';
import { SYSTEM_PROPERTY, SYSTEM_PROPERTY_PLAN_VALUE } from '#engine/values/system-property';
import { fittingNumber } from '#web/values/fit-number.ts';
import type { ValueDraft } from '#web/values/value-draft.ts';
import {
  differencesOf,
  type FeatureDraft,
  NO_VALUES,
  type PackedDraft,
  type PlanDraft,
  packDraft,
  readDraft,
  unpackDraft,
  type ValueDifference,
} from './plan-draft.ts';

export interface EditorState {
  /** The version that the edit is based on. */
  readonly version: number;
  /** The values of that version. */
  readonly base: PlanDraft;
  readonly draft: PlanDraft;
  /** The values of features that were deselected during the edit, restored if they are selected again. */
  readonly dropped: PlanDraft;
}

export type EditorAction =
  | {
      readonly type: 'select-feature';
      readonly featureId: string;
      readonly systemPropertyId: string | undefined;
    }
  | { readonly type: 'deselect-feature'; readonly featureId: string }
  | { readonly type: 'restore-feature'; readonly featureId: string }
  | {
      readonly type: 'configure-property';
      readonly featureId: string;
      /** Starts with the default, or the nearest number that the bounds allow. */
      readonly property: {
        readonly id: string;
        readonly type: PropertyType;
        readonly value: PropertyValue;
        readonly bounds?: NumberBounds | null;
      };
    }
  | { readonly type: 'reset-property'; readonly featureId: string; readonly propertyId: string }
  | {
      readonly type: 'enter-value';
      readonly featureId: string;
      readonly propertyId: string;
      readonly value: ValueDraft;
    }
  | {
      /** Removes values of deleted features and properties. */
      readonly type: 'remove-properties';
      readonly featureId: string;
      readonly propertyIds: readonly string[];
    }
  | { readonly type: 'rebase'; readonly current: PlanVersion; readonly draft: PlanDraft }
  /** Continues an edit that was kept. If the plan was saved since, saving is a conflict. */
  | { readonly type: 'continue'; readonly state: EditorState };

export type EditorDispatch = (action: EditorAction) => void;

export function startEditing({ version, properties }: PlanVersion): EditorState {
  const base = readDraft(properties);
  return { version, base, draft: base, dropped: new Map() };
}

export function editPlan(state: EditorState, action: EditorAction): EditorState {
  switch (action.type) {
    case 'select-feature':
      return selectFeature(state, action.featureId, action.systemPropertyId);
    case 'deselect-feature':
      return deselectFeature(state, action.featureId);
    case 'restore-feature': {
      const values = state.dropped.get(action.featureId);
      if (values === undefined) return state;
      return {
        ...withFeature(state, action.featureId, values),
        dropped: without(state.dropped, action.featureId),
      };
    }
    case 'configure-property': {
      const { id, type, bounds, value: fallback } = action.property;
      const value = typeof fallback === 'number' ? (fittingNumber(fallback, bounds) ?? fallback) : fallback;
      const values = state.draft.get(action.featureId);
      if (values === undefined || values.has(id)) return state;
      return withFeature(state, action.featureId, withEntry(values, id, { type, value }));
    }
    case 'reset-property': {
      const values = state.draft.get(action.featureId);
      if (!values?.has(action.propertyId)) return state;
      return withFeature(state, action.featureId, without(values, action.propertyId));
    }
    case 'enter-value': {
      const values = state.draft.get(action.featureId);
      const entry = values?.get(action.propertyId);
      if (values === undefined || entry === undefined || Object.is(entry.value, action.value)) return state;
      const next = { type: entry.type, value: action.value };
      return withFeature(state, action.featureId, withEntry(values, action.propertyId, next));
    }
    case 'remove-properties':
      return removeProperties(state, action.featureId, action.propertyIds);
    case 'rebase':
      return {
        version: action.current.version,
        base: readDraft(action.current.properties),
        draft: action.draft,
        dropped: state.dropped,
      };
    case 'continue':
      return action.state;
  }
}

/** An edit as JSON, for storage. */
export interface PackedEdit {
  readonly version: number;
  readonly base: PackedDraft;
  readonly draft: PackedDraft;
  readonly dropped: PackedDraft;
}

export function packEdit({ version, base, draft, dropped }: EditorState): PackedEdit {
  return { version, base: packDraft(base), draft: packDraft(draft), dropped: packDraft(dropped) };
}

export function unpackEdit({ version, base, draft, dropped }: PackedEdit): EditorState {
  return { version, base: unpackDraft(base), draft: unpackDraft(draft), dropped: unpackDraft(dropped) };
}

/** The changes that 'Update Plan' would save. Empty if there are none. */
export function changesOf({ base, draft }: EditorState): ValueDifference[] {
  return differencesOf(base, draft);
}

/** Selecting a feature switches it on in the plan. Its other properties keep their defaults. */
function selectFeature(
  state: EditorState,
  featureId: string,
  systemPropertyId: string | undefined,
): EditorState {
  if (state.draft.has(featureId)) return state;
  const enabled = { type: SYSTEM_PROPERTY.type, value: SYSTEM_PROPERTY_PLAN_VALUE };
  return withFeature(
    state,
    featureId,
    systemPropertyId === undefined ? NO_VALUES : new Map([[systemPropertyId, enabled]]),
  );
}

function deselectFeature(state: EditorState, featureId: string): EditorState {
  const values = state.draft.get(featureId);
  if (values === undefined) return state;
  return {
    ...state,
    draft: without(state.draft, featureId),
    dropped: values.size === 0 ? state.dropped : withEntry(state.dropped, featureId, values),
  };
}

/** A feature with no values left is deselected. */
function removeProperties(
  state: EditorState,
  featureId: string,
  propertyIds: readonly string[],
): EditorState {
  const values = state.draft.get(featureId);
  if (values === undefined) return state;
  const left = new Map([...values].filter(([id]) => !propertyIds.includes(id)));
  if (left.size === values.size && left.size > 0) return state;
  return left.size === 0
    ? { ...state, draft: without(state.draft, featureId) }
    : withFeature(state, featureId, left);
}

function withFeature(state: EditorState, featureId: string, values: FeatureDraft): EditorState {
  return { ...state, draft: withEntry(state.draft, featureId, values) };
}

function withEntry<Value>(
  map: ReadonlyMap<string, Value>,
  key: string,
  value: Value,
): ReadonlyMap<string, Value> {
  return new Map(map).set(key, value);
}

function without<Value>(map: ReadonlyMap<string, Value>, key: string): ReadonlyMap<string, Value> {
  const copy = new Map(map);
  copy.delete(key);
  return copy;
}
