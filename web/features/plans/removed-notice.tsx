/** Says that the plan has values for something that is no longer there; they must go before it can be saved. */
import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import classes from './feature-editor.module.css';

export interface RemovedNoticeProps {
  readonly text: string;
  /** True once somebody tried to save. */
  readonly isMarked: boolean;
  readonly onRemove: () => void;
}

export function RemovedNotice({ text, isMarked, onRemove }: RemovedNoticeProps) {
  return (
    <div className={classes.removed} data-marked={isMarked || undefined}>
      <IconAlertTriangle size={16} aria-hidden className={classes.removedIcon} />
      <span className={classes.removedText}>
        {text}
        {isMarked && <VisuallyHidden>. The plan cannot be saved before it is removed.</VisuallyHidden>}
      </span>
      <Button variant="default" data-remove onClick={onRemove}>
        Remove Properties
      </Button>
    </div>
  );
}
