/**
 * Somebody else saved the plan while it was edited: both values of everything in which the two differ, and a choice for
 * each. What only one of the two changed is chosen already; what both changed waits for a decision.
 */
import { Button, Group, Modal } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import type { Feature, FeatureProperty } from '#contracts/features';
import type { PlanVersion } from '#contracts/plans';
import type { PropertyValue } from '#contracts/values';
import { Age } from '../../ui/age.tsx';
import { PropertyValueView } from '../../values/property-value.tsx';
import { propertiesOf, rowKey } from './check-draft.ts';
import classes from './conflict-dialog.module.css';
import type { EditorState } from './editor-state.ts';
import {
  type Choices,
  type MergeRow,
  mergeDrafts,
  mergeRows,
  type Side,
  suggestedChoices,
} from './merge-drafts.ts';
import { type DraftValue, type PlanDraft, readDraft } from './plan-draft.ts';

export interface ConflictDialogProps {
  readonly planName: string;
  readonly state: EditorState;
  /** What stands now. */
  readonly standing: PlanVersion;
  readonly features: readonly Feature[];
  /** Says who a user is. */
  readonly renderMember: (userId: string) => ReactNode;
  /** Back to the editor, with everything as it was. */
  readonly onClose: () => void;
  readonly onResolve: (standing: PlanVersion, merged: PlanDraft) => void;
}

const GROUPS = [
  { changedBy: null, title: 'You both changed' },
  { changedBy: 'mine', title: 'Only you changed' },
  { changedBy: 'theirs', title: 'Only they changed' },
] as const;

export function ConflictDialog(props: ConflictDialogProps) {
  const { planName, state, standing, features, renderMember, onClose, onResolve } = props;
  const theirs = useMemo(() => readDraft(standing.properties), [standing]);
  const rows = useMemo(() => mergeRows(state.base, state.draft, theirs), [state, theirs]);
  const [choices, setChoices] = useState<Choices>(() => suggestedChoices(rows));
  const open = rows.filter(({ featureId, propertyId }) => !choices.has(rowKey(featureId, propertyId))).length;
  const known = useMemo(() => new Map(features.map((feature) => [feature.id, feature])), [features]);
  const chooseAll = (side: Side) =>
    setChoices(new Map(rows.map(({ featureId, propertyId }) => [rowKey(featureId, propertyId), side])));

  return (
    <Modal
      opened
      onClose={onClose}
      title={`${planName} was changed meanwhile`}
      size={780}
      closeOnClickOutside={false}
    >
      <p className={classes.words}>
        {standing.createdByUserId === null ? 'Somebody else' : renderMember(standing.createdByUserId)} saved
        this plan <Age at={standing.createdAt} />, after you opened it. Nothing of yours is lost: choose which
        value holds, property by property. Until you update the plan, theirs stands.
      </p>
      <Group gap={8} mt={12}>
        <Button variant="default" onClick={() => chooseAll('mine')}>
          Take all of mine
        </Button>
        <Button variant="default" onClick={() => chooseAll('theirs')}>
          Take all of theirs
        </Button>
      </Group>
      {GROUPS.map(({ changedBy, title }) => {
        const own = rows.filter((row) => row.changedBy === changedBy);
        if (own.length === 0) return null;
        return (
          <section key={title} className={classes.group} aria-label={title}>
            <h3 className={classes.title}>{title}</h3>
            {own.map((row) => {
              const key = rowKey(row.featureId, row.propertyId);
              return (
                <ConflictRow
                  key={key}
                  row={row}
                  feature={known.get(row.featureId)}
                  choice={choices.get(key)}
                  onChoose={(side) => setChoices((before) => new Map(before).set(key, side))}
                />
              );
            })}
          </section>
        );
      })}
      <div className={classes.footer}>
        <span className={classes.open} role="status">
          {open === 0 ? 'Everything is decided' : `${open} left to decide`}
        </span>
        <Button variant="default" onClick={onClose}>
          Keep editing
        </Button>
        <Button disabled={open > 0} onClick={() => onResolve(standing, mergeDrafts(theirs, rows, choices))}>
          Update Plan
        </Button>
      </div>
    </Modal>
  );
}

interface ConflictRowProps {
  readonly row: MergeRow;
  /** Undefined: it is no longer there. */
  readonly feature: Feature | undefined;
  readonly choice: Side | undefined;
  readonly onChoose: (side: Side) => void;
}

function ConflictRow({ row, feature, choice, onChoose }: ConflictRowProps) {
  const property = feature && propertiesOf(feature).find(({ id }) => id === row.propertyId);
  const name = `${feature?.name ?? row.featureId}: ${property?.name ?? row.propertyId}`;
  const sides = [
    { side: 'mine', title: 'Mine', entry: row.mine },
    { side: 'theirs', title: 'Theirs', entry: row.theirs },
  ] as const;
  return (
    <div className={classes.row} role="radiogroup" aria-label={name}>
      <span className={classes.name}>
        <span className={classes.feature}>{feature?.name ?? row.featureId}</span>
        <span>{property?.name ?? row.propertyId}</span>
      </span>
      {sides.map(({ side, title, entry }) => (
        <label key={side} className={classes.side}>
          <input
            type="radio"
            name={rowKey(row.featureId, row.propertyId)}
            className={classes.radio}
            checked={choice === side}
            onChange={() => onChoose(side)}
          />
          <span className={classes.sideTitle}>{title}</span>
          <span className={classes.value}>
            <ValueOf entry={entry} property={property} />
          </span>
        </label>
      ))}
    </div>
  );
}

/** Both sides fit their property: mine was checked before it was sent, theirs was saved. */
function ValueOf({
  entry,
  property,
}: {
  entry: DraftValue | undefined;
  property: FeatureProperty | undefined;
}) {
  if (entry === undefined) return <span className={classes.default}>Default</span>;
  return (
    <PropertyValueView type={entry.type} bounds={property?.bounds} value={entry.value as PropertyValue} />
  );
}
