/**
 * The full-page editor of a plan's values: features on the left, a section for each selected feature on the right.
 * Nothing is sent before 'Update Plan'.
 */
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import type { Feature } from '#contracts/console/features';
import type { Plan, PlanProperties, PlanVersion } from '#contracts/console/plans';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { UnsavedChanges } from '#web/ui/dialogs/unsaved-changes.tsx';
import { useShortcut } from '#web/ui/keyboard/keys.ts';
import { plansQuery, planVersionsQuery } from '../queries.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import { EditorBar } from './editor-bar.tsx';
import { changesOf } from './editor-state.ts';
import classes from './feature-editor.module.css';
import { FeaturePicker } from './feature-picker.tsx';
import type { Reveal } from './feature-section.tsx';
import { FeatureSections } from './feature-sections.tsx';
import { joinIds, splitIds } from './joined-ids.ts';
import { NO_PERIODS, OtherPeriodsContext, otherPeriodsOf } from './other-periods.ts';
import { SeatMetersContext, seatMetersOf } from './seat-meters.ts';
import { usePlanEdit } from './use-plan-edit.ts';

export interface FeatureEditorProps {
  readonly plan: Plan;
  /** The version that the edit is based on. Later changes of this prop are ignored. */
  readonly start: PlanVersion;
  /** All current features of the organisation. */
  readonly features: readonly Feature[];
  /** Renders a user's name. */
  readonly renderMember: (userId: string) => ReactNode;
  /** Renders who would gain and lose by values that are not saved. */
  readonly renderImpact: (properties: PlanProperties, onClose: () => void) => ReactNode;
}

const NONE: ReadonlySet<string> = new Set();

export function FeatureEditor(props: FeatureEditorProps) {
  const orgId = useOrgId();
  const { plan, start, features, renderMember, renderImpact } = props;
  const navigate = useNavigate();
  const [reveal, setReveal] = useState<Reveal | null>(null);
  const [collapsed, setCollapsed] = useState(NONE);
  const leave = () => void navigate(paths.plan(orgId, start.planId, 'feature'));

  const show = useCallback((next: Reveal) => {
    setCollapsed((before) => (before.has(next.featureId) ? toggled(before, next.featureId) : before));
    setReveal(next);
  }, []);
  const showFeature = useCallback(
    (featureId: string, propertyId: string | null) => show({ featureId, propertyId }),
    [show],
  );
  const toggle = useCallback((featureId: string) => setCollapsed((before) => toggled(before, featureId)), []);

  const edit = usePlanEdit({ orgId, start, features, onReveal: show, onSaved: leave });
  const { state, dispatch } = edit;
  const selectionText = joinIds(state.draft.keys());
  const selected = useMemo(() => splitIds(selectionText), [selectionText]);
  const chosen = features.filter(({ id }) => state.draft.has(id));
  const changes = changesOf(state);
  const isAllCollapsed = chosen.length > 0 && chosen.every(({ id }) => collapsed.has(id));

  const [compared, setCompared] = useState<PlanProperties | null>(null);
  const otherPeriods = useOtherPeriods(orgId, start.planId);
  const seatMeters = useMemo(() => seatMetersOf(features), [features]);

  useShortcut('s', () => {
    if (edit.latest === null && changes.length > 0) edit.save();
  });

  return (
    <>
      <UnsavedChanges isDirty={edit.hasUnsaved} />
      <EditorBar
        changes={changes}
        isSaving={edit.isSaving}
        isAllCollapsed={isAllCollapsed}
        onToggleAll={
          chosen.length === 0
            ? undefined
            : () => setCollapsed(isAllCollapsed ? NONE : new Set(chosen.map(({ id }) => id)))
        }
        onImpact={() => setCompared(edit.valuesToSave())}
        onCancel={leave}
        onSave={edit.save}
      />
      <div className={classes.editor} inert={edit.isSaving}>
        <FeaturePicker features={features} selected={selected} dispatch={dispatch} onReveal={showFeature} />
        <OtherPeriodsContext value={otherPeriods}>
          <SeatMetersContext value={seatMeters}>
            <FeatureSections
              features={features}
              edit={edit}
              collapsed={collapsed}
              onToggle={toggle}
              reveal={reveal}
            />
          </SeatMetersContext>
        </OtherPeriodsContext>
      </div>
      {compared !== null && renderImpact(compared, () => setCompared(null))}
      {edit.latest !== null && (
        <ConflictDialog
          key={edit.latest.version}
          planName={plan.name}
          state={state}
          latest={edit.latest}
          features={features}
          renderMember={renderMember}
          onClose={edit.closeConflict}
          onResolve={edit.saveOver}
        />
      )}
    </>
  );
}

/** The editor does not wait for the other plans: their periods are a warning only. */
function useOtherPeriods(orgId: string, planId: string) {
  const { data: plans } = useQuery(plansQuery(orgId));
  const { data: versions } = useQuery(planVersionsQuery(orgId));
  return useMemo(
    () =>
      plans === undefined || versions === undefined ? NO_PERIODS : otherPeriodsOf(plans, versions, planId),
    [plans, versions, planId],
  );
}

function toggled(set: ReadonlySet<string>, item: string): ReadonlySet<string> {
  const copy = new Set(set);
  if (!copy.delete(item)) copy.add(item);
  return copy;
}
