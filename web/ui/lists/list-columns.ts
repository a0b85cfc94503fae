/** The props of a ListTable: columns, links and search. */
import type { ReactNode } from 'react';

export interface Column<Row> {
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  readonly width?: number | string;
  /** Right-aligned, header and cells. */
  readonly isNumber?: boolean;
  /** Muted, and hidden on small screens. */
  readonly isSecondary?: boolean;
  /** Hidden below 1280 px. */
  readonly isMinor?: boolean;
}

export interface ListTableProps<Row> {
  /** The table's accessible name. */
  readonly label: string;
  /** Undefined while loading. */
  readonly rows: readonly Row[] | undefined;
  readonly rowKey: (row: Row) => string;
  /** The path that a row links to. Undefined if rows are not links. */
  readonly rowTo?: (row: Row) => string;
  /** The row's page is loaded as a new document, which drops all state of this one. */
  readonly isRowLoaded?: boolean;
  /** False if the rows are already search results. */
  readonly isSearchable?: boolean;
  /** A narrow column before the name, for a status icon. Its header is for screen readers only. */
  readonly lead?: Column<Row>;
  /** The main column: the row's name. */
  readonly name: {
    readonly header: string;
    readonly cell: (row: Row) => string;
    /** Rendered in place of the plain name. */
    readonly shown?: (row: Row) => ReactNode;
    readonly detail?: (row: Row) => string | null;
  };
  readonly columns: readonly Column<Row>[];
  /** In the last column: the row's menu. */
  readonly actions?: (row: Row) => ReactNode;
  /** More text that the search matches besides name and detail, for example a slug. */
  readonly keywords?: (row: Row) => string;
}
