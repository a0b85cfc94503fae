/** The active cell of the comparison: the tab stop, which arrow keys move, and whether it is being edited. */
import { type KeyboardEvent, useCallback, useLayoutEffect, useRef, useState } from 'react';

export interface CellPosition {
  readonly row: number;
  readonly column: number;
}

const FIRST: CellPosition = { row: 0, column: 0 };
const PAGE = 10;

/** @param size the number of rows and columns */
export function useCellFocus(size: { readonly rows: number; readonly columns: number }) {
  const [chosen, setChosen] = useState(FIRST);
  const [isOpen, setIsOpen] = useState(false);
  /** A new object for each request, so that a cell that was not rendered is focused once it is. */
  const [request, setRequest] = useState<object | null>(null);
  const handled = useRef<object | null>(null);
  const active = {
    row: Math.max(0, Math.min(chosen.row, size.rows - 1)),
    column: Math.max(0, Math.min(chosen.column, size.columns - 1)),
  };

  useLayoutEffect(() => {
    if (request === null || handled.current === request) return;
    handled.current = request;
    const cell = document.querySelector<HTMLElement>(`[data-cell="${active.row} ${active.column}"]`);
    cell?.focus({ preventScroll: true });
    cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  });

  const open = useCallback((row: number, column: number) => {
    setChosen({ row, column });
    setRequest({});
    setIsOpen(true);
  }, []);
  const close = useCallback(() => {
    setIsOpen(false);
    setRequest({});
  }, []);
  return {
    active,
    isOpen,
    open,
    close,
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      if (!(event.target instanceof HTMLElement) || event.target.dataset.cell === undefined) return;
      const next = nextCell(event, active, size);
      if (next === null) return;
      event.preventDefault();
      setChosen(next);
      setRequest({});
    },
  };
}

/** @returns null for a key that does not move */
export function nextCell(
  { key, ctrlKey, metaKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey'>,
  { row, column }: CellPosition,
  size: { readonly rows: number; readonly columns: number },
): CellPosition | null {
  const [lastRow, lastColumn] = [size.rows - 1, size.columns - 1];
  const isFar = ctrlKey || metaKey;
  switch (key) {
    case 'ArrowDown':
      return { row: Math.min(lastRow, row + 1), column };
    case 'ArrowUp':
      return { row: Math.max(0, row - 1), column };
    case 'ArrowRight':
      return { row, column: Math.min(lastColumn, column + 1) };
    case 'ArrowLeft':
      return { row, column: Math.max(0, column - 1) };
    case 'PageDown':
      return { row: Math.min(lastRow, row + PAGE), column };
    case 'PageUp':
      return { row: Math.max(0, row - PAGE), column };
    case 'Home':
      return { row: isFar ? 0 : row, column: 0 };
    case 'End':
      return { row: isFar ? lastRow : row, column: lastColumn };
    default:
      return null;
  }
}
