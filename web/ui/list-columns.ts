/** What a ListTable is told of its rows: columns, where they lead, and what they are found by. */
import type { ReactNode } from 'react';

export interface Column<Row> {
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  readonly width?: number | string;
  /** Hidden on small screens. */
  readonly isSecondary?: boolean;
}

export interface ListTableProps<Row> {
  /** Names the table. */
  readonly label: string;
  /** Undefined while loading. */
  readonly rows: readonly Row[] | undefined;
  readonly rowKey: (row: Row) => string;
  /** Where a row leads; absent where rows lead nowhere. */
  readonly rowTo?: (row: Row) => string;
  /** The page that a row leads to is loaded anew, and nothing of this one stays in memory. */
  readonly isRowLoaded?: boolean;
  /** False where the rows are the answer to a search of its own. */
  readonly isSearchable?: boolean;
  /** The first column: what each row is called. */
  readonly name: {
    readonly header: string;
    readonly cell: (row: Row) => string;
    /** How that is shown, where it is not plain text. */
    readonly shown?: (row: Row) => ReactNode;
    readonly detail?: (row: Row) => string | null;
  };
  readonly columns: readonly Column<Row>[];
  /** At the right: the row's own menu. */
  readonly actions?: (row: Row) => ReactNode;
  /** What the search finds a row by besides its name and detail: a slug. */
  readonly keywords?: (row: Row) => string;
}
