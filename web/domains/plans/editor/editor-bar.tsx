/** The editor's sticky head: the number of changes, and the buttons to save or leave. */
import { ActionIcon, Box, Button, Tooltip } from '@mantine/core';
import { IconFold, IconFoldDown, IconUsers } from '@tabler/icons-react';
import { counted } from '#web/ui/format.ts';
import classes from './feature-editor.module.css';
import type { ValueDifference } from './plan-draft.ts';

export interface EditorBarProps {
  readonly changes: readonly ValueDifference[];
  readonly isSaving: boolean;
  readonly isAllCollapsed: boolean;
  /** Undefined if there are no sections to collapse. */
  readonly onToggleAll: (() => void) | undefined;
  /** Shows who would gain and lose by the changes. */
  readonly onImpact: () => void;
  readonly onCancel: () => void;
  readonly onSave: () => void;
}

export function EditorBar(props: EditorBarProps) {
  const { changes, isSaving, isAllCollapsed, onToggleAll, onImpact, onCancel, onSave } = props;
  const isIdle = changes.length === 0 || isSaving;
  const toggleLabel = isAllCollapsed ? 'Expand all' : 'Collapse all';
  const ToggleIcon = isAllCollapsed ? IconFoldDown : IconFold;
  return (
    <div className={classes.bar}>
      <span className="grow muted small figures" role="status">
        <Changes changes={changes} />
      </span>
      {onToggleAll && (
        <Tooltip label={toggleLabel}>
          <ActionIcon aria-label={toggleLabel} onClick={onToggleAll}>
            <ToggleIcon size={17} stroke={1.6} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
      <Button variant="default" onClick={onImpact} disabled={isIdle} visibleFrom="sm">
        Impact
      </Button>
      <ActionIcon aria-label="Impact" onClick={onImpact} disabled={isIdle} hiddenFrom="sm">
        <IconUsers size={17} stroke={1.6} aria-hidden />
      </ActionIcon>
      <Button variant="default" onClick={onCancel} disabled={isSaving}>
        Cancel
      </Button>
      <Button onClick={onSave} disabled={changes.length === 0} loading={isSaving}>
        Update Plan
      </Button>
    </div>
  );
}

/** In one line on narrow screens: below the bar, the features' heads stick at its height. */
function Changes({ changes }: Pick<EditorBarProps, 'changes'>) {
  if (changes.length === 0) return 'No changes';
  const features = new Set(changes.map(({ featureId }) => featureId)).size;
  return (
    <>
      {counted(changes.length, 'change')}
      <Box component="span" visibleFrom="sm">{` in ${counted(features, 'feature')}`}</Box>
    </>
  );
}
