/** Reports values of deleted features or properties, which must be removed before the plan can be saved. */
import { Box, Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import classes from './feature-editor.module.css';

export interface RemovedNoticeProps {
  readonly text: string;
  /** True after the first attempt to save. */
  readonly isMarked: boolean;
  readonly onRemove: () => void;
}

export function RemovedNotice({ text, isMarked, onRemove }: RemovedNoticeProps) {
  return (
    <div className={classes.removed} data-marked={isMarked || undefined}>
      <IconAlertTriangle size={16} aria-hidden className={classes.removedIcon} />
      <Box component="span" flex={1} miw={200}>
        {text}
        {isMarked && (
          <strong className={classes.removedStep}>Remove these properties before you save the plan.</strong>
        )}
      </Box>
      <Button variant="default" data-remove onClick={onRemove}>
        Remove Properties
      </Button>
    </div>
  );
}
