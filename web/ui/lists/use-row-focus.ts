/**
 * Focus that moves through the rows of a table of links: arrow keys or j and k step, Home and End jump. One row is the tab
 * stop: the last one that had the focus, else the first.
 */
import { type FocusEvent, type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import { pressedKey } from '../keyboard/keys.ts';

export interface RowFocus {
  /** The index of the row that Tab reaches. */
  readonly tabStop: number;
  /** For the element around the rows, each of which has `data-index`. */
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
  readonly onFocus: (event: FocusEvent<HTMLElement>) => void;
}

export function useRowFocus<Row>(rows: readonly Row[], keyOf: (row: Row) => string): RowFocus {
  const [activeKey, setActiveKey] = useState<string | null>(null);
  /** A new object for each request, so that a row that was not rendered is focused once it is. */
  const [request, setRequest] = useState<{ readonly index: number; readonly body: HTMLElement } | null>(null);
  const handled = useRef(request);
  const tabStop = Math.max(
    0,
    rows.findIndex((row) => keyOf(row) === activeKey),
  );

  useLayoutEffect(() => {
    if (request === null || handled.current === request) return;
    handled.current = request;
    const row = request.body.querySelector(`[data-index="${request.index}"]`);
    row?.querySelector<HTMLElement>('a')?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: 'nearest' });
  }, [request]);

  return {
    tabStop,
    onKeyDown: (event) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      if (!(event.target instanceof HTMLAnchorElement)) return;
      const next = nextIndex(pressedKey(event), tabStop, rows.length - 1);
      const row = next === null ? undefined : rows[next];
      if (next === null || row === undefined) return;
      event.preventDefault();
      setActiveKey(keyOf(row));
      setRequest({ index: next, body: event.currentTarget });
    },
    onFocus: (event) => {
      const index = event.target.closest('[data-index]')?.getAttribute('data-index');
      const row = index == null ? undefined : rows[Number(index)];
      if (row !== undefined) setActiveKey(keyOf(row));
    },
  };
}

/** @returns null for a key that does not move, or at the end of the table */
export function nextIndex(key: string, from: number, last: number): number | null {
  const next =
    key === 'ArrowDown' || key === 'j'
      ? from + 1
      : key === 'ArrowUp' || key === 'k'
        ? from - 1
        : key === 'Home'
          ? 0
          : key === 'End'
            ? last
            : null;
  return next === null || next < 0 || next > last ? null : next;
}
