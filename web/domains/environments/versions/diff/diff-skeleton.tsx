/** Loading state of a diff. */
import { Box, Skeleton, Stack } from '@mantine/core';
import classes from './diff.module.css';

const GROUPS = ['one', 'two', 'three'];
const ROWS = ['first', 'second'];

export function DiffSkeleton({ groups = GROUPS.length }: { groups?: number }) {
  return (
    <Stack gap={12} role="status" aria-label="Calculating the changes">
      {GROUPS.slice(0, groups).map((group) => (
        <div key={group} className={classes.group}>
          <div className={classes.head}>
            <Skeleton height={14} width={180} />
          </div>
          <Box className="list divided" style={{ borderTop: '1px solid var(--line)' }}>
            {ROWS.map((row) => (
              <div key={row} className={classes.row}>
                <Skeleton height={14} width={72} mt={5} />
                <Skeleton height={14} width={120} mt={5} />
                <Skeleton height={14} width="70%" mt={5} />
              </div>
            ))}
          </Box>
        </div>
      ))}
    </Stack>
  );
}
