/** The Compare tab: features by plans, editable in place, saved as one change per plan. */
import { Button, Group, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue, useMemo, useState } from 'react';
import type { Feature } from '#contracts/console/features';
import type { Plan, PlanVersion } from '#contracts/console/plans';
import { useOrgId } from '#web/session/organisation.tsx';
import { ConfirmDialog } from '#web/ui/dialogs/confirm-dialog.tsx';
import { UnsavedChanges } from '#web/ui/dialogs/unsaved-changes.tsx';
import { counted } from '#web/ui/format.ts';
import { SearchField } from '#web/ui/lists/search-field.tsx';
import { useAddressParams } from '#web/ui/page/use-address-params.ts';
import { ConflictDialog } from '../editor/conflict-dialog.tsx';
import { startEditing } from '../editor/editor-state.ts';
import { SeatMetersContext, seatMetersOf } from '../editor/seat-meters.ts';
import { planSummariesQuery } from '../queries.ts';
import classes from './compare.module.css';
import { CompareGrid } from './compare-grid.tsx';
import { compareRows, onlyDifferent } from './compare-rows.ts';
import { savedDraft } from './compare-state.ts';
import { type Place, useCompare } from './use-compare.ts';

export interface ComparePlansProps {
  readonly plans: readonly Plan[];
  readonly features: readonly Feature[];
  /** The current values of each plan. */
  readonly versions: readonly PlanVersion[];
  /** Renders a user's name. */
  readonly renderMember: (userId: string) => ReactNode;
}

export function ComparePlans({ plans, features, versions, renderMember }: ComparePlansProps) {
  const seatMeters = useMemo(() => seatMetersOf(features), [features]);
  const orgId = useOrgId();
  const [search, changeParams] = useAddressParams();
  const [isFiltered, setIsFiltered] = useState(search.get('rows') === 'different');
  const [query, setQuery] = useState('');
  const needle = useDeferredValue(query);
  const [reveal, setReveal] = useState<Place | null>(null);
  const [isDiscarding, setIsDiscarding] = useState(false);
  const columns = useMemo(() => {
    const current = new Map(versions.map((version) => [version.planId, version]));
    return plans.flatMap((plan) => {
      const version = current.get(plan.planId);
      return version === undefined ? [] : [{ plan, version }];
    });
  }, [plans, versions]);
  // By saved values: a row that is being edited stays.
  const rows = useMemo(() => {
    const found = compareRows(features, needle);
    return isFiltered ? onlyDifferent(found, versions.map(savedDraft)) : found;
  }, [features, needle, isFiltered, versions]);
  const { data: summaries } = useQuery(planSummariesQuery(orgId));
  const counts = useMemo(
    () => summaries && new Map(summaries.map(({ planId, customerCount }) => [planId, customerCount])),
    [summaries],
  );
  const compare = useCompare({
    orgId,
    plans,
    features,
    onReveal: (place) => {
      setQuery('');
      setIsFiltered(false);
      setReveal(place);
    },
  });
  const { changes, conflict, edits } = compare;
  const edited = conflict === null ? undefined : edits.get(conflict.planId);
  return (
    <div className="card clip">
      <UnsavedChanges isDirty={() => changes > 0} />
      <div className={classes.bar}>
        <SearchField
          label="features"
          placeholder="Search by feature name and property name"
          w={340}
          maw="100%"
          text={query}
          onText={setQuery}
        />
        <Switch
          label="Only differences"
          checked={isFiltered}
          onChange={({ currentTarget: { checked } }) => {
            setIsFiltered(checked);
            changeParams({ rows: checked ? 'different' : null }, { replace: true });
          }}
        />
        <span className="grow muted small figures text-end" role="status">
          {changes === 0 ? '' : `${counted(changes, 'change')} in ${counted(edits.size, 'plan')}`}
        </span>
        <Group gap={8} ml="auto" wrap="nowrap">
          {changes > 0 && (
            <Button variant="default" disabled={compare.isSaving} onClick={() => setIsDiscarding(true)}>
              Discard
            </Button>
          )}
          <Button disabled={changes === 0} loading={compare.isSaving} onClick={() => void compare.save()}>
            Save changes
          </Button>
        </Group>
      </div>
      {rows.length === 0 ? (
        <p className="note">
          {isFiltered && needle === '' ? 'All plans have the same values' : 'No results'}
        </p>
      ) : (
        <div inert={compare.isSaving}>
          <SeatMetersContext value={seatMeters}>
            <CompareGrid
              columns={columns}
              rows={rows}
              compare={compare}
              reveal={reveal}
              customersOf={counts && ((planId) => counts.get(planId))}
            />
          </SeatMetersContext>
        </div>
      )}
      {conflict !== null && (
        <ConflictDialog
          key={`${conflict.planId} ${conflict.version}`}
          planName={plans.find(({ planId }) => planId === conflict.planId)?.name ?? 'The plan'}
          state={edited ?? startEditing(conflict)}
          latest={conflict}
          features={features}
          renderMember={renderMember}
          onClose={compare.closeConflict}
          onResolve={compare.saveOver}
        />
      )}
      <ConfirmDialog
        isOpen={isDiscarding}
        onClose={() => setIsDiscarding(false)}
        title={`Discard ${counted(changes, 'change')}?`}
        confirmLabel={`Discard ${counted(changes, 'change')}`}
        dismissLabel="Keep editing"
        isBusy={false}
        onConfirm={() => {
          compare.dispatch({ type: 'discard' });
          setIsDiscarding(false);
        }}
      >
        The plans keep the values that are saved.
      </ConfirmDialog>
    </div>
  );
}
