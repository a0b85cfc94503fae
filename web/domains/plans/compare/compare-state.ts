/** The unsaved edits of the comparison, by plan. Each is an edit as in the plan's own editor, on the version it began with. */
import type { Feature, FeatureProperty } from '#contracts/console/features';
import type { PlanVersion } from '#contracts/console/plans';
import type { ValueDraft } from '#web/values/value-draft.ts';
import {
  changesOf,
  type EditorAction,
  type EditorState,
  editPlan,
  startEditing,
} from '../editor/editor-state.ts';
import { type PlanDraft, readDraft } from '../editor/plan-draft.ts';

/** Plans without changes are absent. */
export type Edits = ReadonlyMap<string, EditorState>;

export const NO_EDITS: Edits = new Map();

export type CompareAction =
  | { readonly type: 'edit'; readonly version: PlanVersion; readonly steps: readonly EditorAction[] }
  /** Back to an earlier state of the plan's edit; undefined: none. */
  | { readonly type: 'restore'; readonly planId: string; readonly state: EditorState | undefined }
  /** `draft` was saved as the version `saved`. What was edited meanwhile continues on it. */
  | { readonly type: 'saved'; readonly saved: PlanVersion; readonly draft: PlanDraft }
  | { readonly type: 'discard' };

export function compareReducer(edits: Edits, action: CompareAction): Edits {
  switch (action.type) {
    case 'edit': {
      const { version, steps } = action;
      const before = edits.get(version.planId) ?? startEditing(version);
      const after = steps.reduce(editPlan, before);
      if (after === before) return edits;
      return withEdit(edits, version.planId, after);
    }
    case 'restore':
      return action.state === undefined
        ? without(edits, action.planId)
        : new Map(edits).set(action.planId, action.state);
    case 'saved': {
      const { saved, draft } = action;
      const before = edits.get(saved.planId);
      if (before === undefined || before.draft === draft) return without(edits, saved.planId);
      const after = editPlan(before, { type: 'rebase', current: saved, draft: before.draft });
      return withEdit(edits, saved.planId, after);
    }
    case 'discard':
      return NO_EDITS;
  }
}

/** The steps that give the plan a value of its own. A feature that the plan lacks is selected first, as in the editor. */
export function stepsToEnter(feature: Feature, property: FeatureProperty, value: ValueDraft): EditorAction[] {
  const featureId = feature.id;
  return [
    { type: 'select-feature', featureId, systemPropertyId: feature.systemFeatureProperties[0]?.id },
    { type: 'configure-property', featureId, property },
    { type: 'enter-value', featureId, propertyId: property.id, value },
  ];
}

/**
 * The steps back to the default. A feature without values leaves the plan, and so does one that this edit has added for the
 * sake of the value.
 */
export function stepsToReset(
  feature: Feature,
  property: FeatureProperty,
  state: EditorState | undefined,
): EditorAction[] {
  const featureId = feature.id;
  const own = new Set([property.id, ...feature.systemFeatureProperties.map(({ id }) => id)]);
  const values = [...(state?.draft.get(featureId)?.keys() ?? [])];
  const isAdded = state !== undefined && !state.base.has(featureId) && values.every((id) => own.has(id));
  return [{ type: 'remove-properties', featureId, propertyIds: isAdded ? values : [property.id] }];
}

/** The plan's values as edited, or as saved. */
export function draftOf(edits: Edits, version: PlanVersion): PlanDraft {
  return edits.get(version.planId)?.draft ?? savedDraft(version);
}

/** Read once per version, so unchanged values keep their identity. */
const drafts = new WeakMap<PlanVersion, PlanDraft>();

export function savedDraft(version: PlanVersion): PlanDraft {
  const known = drafts.get(version);
  if (known !== undefined) return known;
  const draft = readDraft(version.properties);
  drafts.set(version, draft);
  return draft;
}

function withEdit(edits: Edits, planId: string, edit: EditorState): Edits {
  return changesOf(edit).length === 0 ? without(edits, planId) : new Map(edits).set(planId, edit);
}

function without(edits: Edits, planId: string): Edits {
  if (!edits.has(planId)) return edits;
  const copy = new Map(edits);
  copy.delete(planId);
  return copy;
}
