/** Every way to be refused, with what to do about it. */
import { Badge } from '@mantine/core';
import type { DocumentedError } from '#contracts/openapi';
import { ListTable } from '../../ui/list-table.tsx';
import classes from './tables.module.css';

export function ErrorTable({ errors }: { errors: readonly DocumentedError[] }) {
  return (
    <ListTable
      label="errors"
      rows={errors}
      rowKey={({ errorType }) => errorType}
      name={{ header: 'errorType', cell: ({ errorType }) => errorType }}
      columns={[
        {
          header: 'Status',
          cell: ({ status }) => <span className={classes.status}>{status}</span>,
          width: 80,
        },
        {
          header: 'Meaning, and what to do',
          cell: ({ meaning, advice }) => (
            <div className={classes.meaning}>
              <span>{meaning}</span>
              <span className={classes.advice}>{advice}</span>
            </div>
          ),
        },
        {
          header: 'Retry',
          width: 90,
          isSecondary: true,
          cell: ({ isRetryable }) => (
            <Badge color={isRetryable ? 'green' : 'gray'}>{isRetryable ? 'Helps' : 'Does not'}</Badge>
          ),
        },
      ]}
    />
  );
}
