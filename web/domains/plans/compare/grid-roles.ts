/**
 * Roles of a grid that renders some of its columns and rows. Table elements cannot: a cell would change its column with
 * every column that is left out. Positions count from 0, without the head; a cell's button takes the focus.
 */
export const gridRole = (label: string, rows: number, columns: number) =>
  ({
    role: 'grid',
    'aria-label': label,
    'aria-rowcount': rows + 1,
    'aria-colcount': columns + 1,
  }) as const;

export const headRowRole = { role: 'row', 'aria-rowindex': 1 } as const;
export const rowRole = (index: number) => ({ role: 'row', 'aria-rowindex': index + 2 }) as const;

export const cornerRole = { role: 'columnheader', 'aria-colindex': 1 } as const;
export const columnHeaderRole = (index: number) =>
  ({ role: 'columnheader', 'aria-colindex': index + 2 }) as const;
export const rowHeaderRole = { role: 'rowheader', 'aria-colindex': 1 } as const;
export const cellRole = (index: number) => ({ role: 'gridcell', 'aria-colindex': index + 2 }) as const;
