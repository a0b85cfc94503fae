/** Shown when someone else saved the source in the meantime: both texts, and a way to continue with either. */
import { Box, Button, Group } from '@mantine/core';
import { IconArrowsSplit2 } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useDeferredValue } from 'react';
import { CodeDiff } from '#web/ui/code-diff/code-diff.tsx';
import { Notice } from '#web/ui/states/notice.tsx';
export interface SourceConflictProps {
  /** The other person's name. */
  readonly who: ReactNode;
  readonly mine: string;
  readonly theirs: string;
  readonly onKeepMine: () => void;
  readonly onTakeTheirs: () => void;
}

export function SourceConflict({ who, mine, theirs, onKeepMine, onTakeTheirs }: SourceConflictProps) {
  // Typing goes on while the comparison follows.
  const shown = useDeferredValue(mine);
  return (
    <Notice
      isWide
      role="alert"
      icon={IconArrowsSplit2}
      title={<>This workflow was changed by {who} in the meantime</>}
    >
      <p>Nothing is saved yet. Your code is still in the editor.</p>
      <Box mt={10}>
        <CodeDiff from={theirs} to={shown} fromLabel="Current" toLabel="Yours" />
      </Box>
      <Group gap={8} mt={12}>
        <Button variant="default" onClick={onKeepMine}>
          Keep mine
        </Button>
        <Button variant="default" onClick={onTakeTheirs}>
          Use the current code
        </Button>
      </Group>
    </Notice>
  );
}
