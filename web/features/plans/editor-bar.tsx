/** At the foot of the editor, always on the screen: how much would change, and the two ways out. */
import { Button } from '@mantine/core';
import classes from './feature-editor.module.css';
import type { ValueDifference } from './plan-draft.ts';

export interface EditorBarProps {
  readonly changes: readonly ValueDifference[];
  readonly isSaving: boolean;
  readonly onCancel: () => void;
  readonly onSave: () => void;
}

export function EditorBar({ changes, isSaving, onCancel, onSave }: EditorBarProps) {
  return (
    <div className={classes.bar}>
      <span className={classes.barText} role="status">
        {changesInWords(changes)}
      </span>
      <Button variant="default" onClick={onCancel} disabled={isSaving}>
        Cancel
      </Button>
      <Button onClick={onSave} disabled={changes.length === 0} loading={isSaving}>
        Update Plan
      </Button>
    </div>
  );
}

function changesInWords(changes: readonly ValueDifference[]): string {
  if (changes.length === 0) return 'No changes';
  const features = new Set(changes.map(({ featureId }) => featureId)).size;
  return `${counted(changes.length, 'change')} in ${counted(features, 'feature')}`;
}

const counted = (count: number, thing: string) => `${count} ${thing}${count === 1 ? '' : 's'}`;
