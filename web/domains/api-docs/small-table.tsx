/** A small table for reading, such as headers or parameters. Rows become blocks on narrow screens. */
import { Box } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './small-table.module.css';

export interface SmallTableProps {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly { readonly key: string; readonly cells: readonly ReactNode[] }[];
}

export function SmallTable({ title, head, rows }: SmallTableProps) {
  return (
    <div>
      <Box component="h3" fz="sm" fw={600} mt={0} mb={4}>
        {title}
      </Box>
      <table className={`table ${classes.table}`} aria-label={title}>
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col" className="visually-hidden">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key}>
              {cells.map((cell, index) => (
                <td key={head[index]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
