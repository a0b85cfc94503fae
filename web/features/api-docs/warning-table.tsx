/** Every warning that an answer can carry, with what to do about it. */
import type { DocumentedWarning } from '#contracts/openapi';
import { ListTable } from '../../ui/list-table.tsx';
import classes from './tables.module.css';

export function WarningTable({ warnings }: { warnings: readonly DocumentedWarning[] }) {
  return (
    <ListTable
      label="warnings"
      rows={warnings}
      rowKey={({ code }) => code}
      name={{ header: 'code', cell: ({ code }) => code }}
      columns={[
        {
          header: 'Meaning, and what to do',
          cell: ({ message, advice }) => (
            <div className={classes.meaning}>
              <span>{message}.</span>
              <span className={classes.advice}>{advice}</span>
            </div>
          ),
        },
      ]}
      keywords={({ message, advice }) => `${message} ${advice}`}
    />
  );
}
