/**
 * Resolves a conflict with a concurrent save of the plan: shows both values of every difference, and a choice for each.
 * Values that only one person changed are preselected; values that both changed need a decision.
 */
import { Box, Button, Group, Modal } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import type { Feature, FeatureProperty } from '#contracts/console/features';
import type { PlanVersion } from '#contracts/console/plans';
import type { PropertyValue } from '#contracts/public/values';
import { useSession } from '#web/session/session.ts';
import { DialogFooter } from '#web/ui/dialogs/dialog-footer.tsx';
import { counted, sentence } from '#web/ui/format.ts';
import { Age } from '#web/ui/labels/age.tsx';
import { useFirstItems } from '#web/ui/lists/use-first-items.tsx';
import { PropertyValueView } from '#web/values/kinds/property-value.tsx';
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
  /** The current version. */
  readonly latest: PlanVersion;
  readonly features: readonly Feature[];
  /** Renders a user's name. */
  readonly renderMember: (userId: string) => ReactNode;
  /** Returns to the editor without changes. */
  readonly onClose: () => void;
  readonly onResolve: (latest: PlanVersion, merged: PlanDraft) => void;
}

const GROUPS = [null, 'mine', 'theirs'] as const;

interface Words {
  /** The groups' titles, in their order. */
  readonly titles: readonly [string, string, string];
  readonly mine: string;
  readonly theirs: string;
  readonly useMine: string;
  readonly useTheirs: string;
  readonly applies: string;
}

const OF_SOMEBODY_ELSE: Words = {
  titles: ['You both changed', 'Only you changed', 'Only they changed'],
  mine: 'Mine',
  theirs: 'Theirs',
  useMine: 'Use all of mine',
  useTheirs: 'Use all of theirs',
  applies: 'theirs applies',
};

/** One's own other tab, or an unknown author. */
const OF_OTHER_TAB: Words = {
  titles: ['Changed in both', 'Only changed here', 'Only changed in the saved plan'],
  mine: 'Here',
  theirs: 'Saved',
  useMine: 'Use all values from here',
  useTheirs: 'Use all saved values',
  applies: 'the saved value applies',
};

export function ConflictDialog(props: ConflictDialogProps) {
  const { planName, state, latest, features, renderMember, onClose, onResolve } = props;
  const theirs = useMemo(() => readDraft(latest.properties), [latest]);
  const rows = useMemo(() => mergeRows(state.base, state.draft, theirs), [state, theirs]);
  const [choices, setChoices] = useState<Choices>(() => suggestedChoices(rows));
  const open = rows.filter(({ featureId, propertyId }) => !choices.has(rowKey(featureId, propertyId))).length;
  const known = useMemo(() => new Map(features.map((feature) => [feature.id, feature])), [features]);
  const chooseAll = (side: Side) =>
    setChoices(new Map(rows.map(({ featureId, propertyId }) => [rowKey(featureId, propertyId), side])));

  const { user } = useSession();
  const author = latest.createdByUserId;
  const isOwn = author !== null && author === user?.id;
  const words = isOwn || author === null ? OF_OTHER_TAB : OF_SOMEBODY_ELSE;
  const who = isOwn ? 'You' : author === null ? 'Someone' : renderMember(author);

  return (
    <Modal
      opened
      onClose={onClose}
      title={sentence`${planName} was changed in the meantime`}
      size={780}
      closeOnClickOutside={false}
    >
      <p className="flush muted">
        {who} saved this plan <Age at={latest.createdAt} />
        {isOwn && ' in another tab'}, after you opened it{isOwn && ' here'}. Your changes are kept: choose a
        value for each property. Until you update the plan, {words.applies}.
      </p>
      <Group gap={8} mt={12}>
        <Button variant="default" onClick={() => chooseAll('mine')}>
          {words.useMine}
        </Button>
        <Button variant="default" onClick={() => chooseAll('theirs')}>
          {words.useTheirs}
        </Button>
      </Group>
      {GROUPS.map((changedBy, index) => (
        <ConflictGroup
          key={changedBy}
          title={words.titles[index] ?? ''}
          words={words}
          rows={rows.filter((row) => row.changedBy === changedBy)}
          known={known}
          choices={choices}
          onChoose={(key, side) => setChoices((before) => new Map(before).set(key, side))}
        />
      ))}
      <DialogFooter
        text={
          <span className="muted small" role="status">
            {open === 0 ? 'All conflicts resolved' : `${counted(open, 'conflict')} left`}
          </span>
        }
      >
        <Button variant="default" onClick={onClose} data-autofocus>
          Keep editing
        </Button>
        <Button disabled={open > 0} onClick={() => onResolve(latest, mergeDrafts(theirs, rows, choices))}>
          Update Plan
        </Button>
      </DialogFooter>
    </Modal>
  );
}

interface ConflictGroupProps {
  readonly title: string;
  readonly words: Words;
  readonly rows: readonly MergeRow[];
  /** The features by id. */
  readonly known: ReadonlyMap<string, Feature>;
  readonly choices: Choices;
  readonly onChoose: (key: string, side: Side) => void;
}

function ConflictGroup({ title, words, rows, known, choices, onChoose }: ConflictGroupProps) {
  const { shown, more } = useFirstItems(rows);
  if (rows.length === 0) return null;
  return (
    <Box component="section" mt={20} aria-label={title}>
      <Box component="h3" c="dimmed" fz="xs" fw={500} mt={0} mb={6}>
        {title}
      </Box>
      {shown.map((row) => {
        const key = rowKey(row.featureId, row.propertyId);
        return (
          <ConflictRow
            key={key}
            row={row}
            words={words}
            feature={known.get(row.featureId)}
            choice={choices.get(key)}
            onChoose={(side) => onChoose(key, side)}
          />
        );
      })}
      {more}
    </Box>
  );
}

interface ConflictRowProps {
  readonly row: MergeRow;
  readonly words: Words;
  /** Undefined if the property no longer exists. */
  readonly feature: Feature | undefined;
  readonly choice: Side | undefined;
  readonly onChoose: (side: Side) => void;
}

function ConflictRow({ row, words, feature, choice, onChoose }: ConflictRowProps) {
  const property = feature && propertiesOf(feature).find(({ id }) => id === row.propertyId);
  const name = sentence`${feature?.name ?? row.featureId}: ${property?.name ?? row.propertyId}`;
  const sides = [
    { side: 'mine', title: words.mine, entry: row.mine },
    { side: 'theirs', title: words.theirs, entry: row.theirs },
  ] as const;
  return (
    <div className={classes.row} role="radiogroup" aria-label={name}>
      <span className={classes.name}>
        <span className="muted tiny regular">{feature?.name ?? row.featureId}</span>
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
          <span className="muted tiny">{title}</span>
          <span className="shrink breaks">
            <ValueOf entry={entry} property={property} />
          </span>
        </label>
      ))}
    </div>
  );
}

/** Both values are valid: mine was validated before it was sent, theirs is saved. */
function ValueOf({
  entry,
  property,
}: {
  entry: DraftValue | undefined;
  property: FeatureProperty | undefined;
}) {
  if (entry === undefined) return <span className="muted small">Default</span>;
  return (
    <PropertyValueView type={entry.type} bounds={property?.bounds} value={entry.value as PropertyValue} />
  );
}
