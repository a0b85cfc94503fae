/**
 * Renders only those rows of a long list that are near the screen, so that a thousand rows cost as much as twenty. Rows stay
 * in the document's flow; spacers take the place of rows that are not rendered. The row that contains the focus stays
 * rendered, so that no input is lost by scrolling.
 */
import {
  defaultRangeExtractor,
  type Range,
  useVirtualizer,
  useWindowVirtualizer,
  type Virtualizer,
} from '@tanstack/react-virtual';
import { type RefCallback, type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';

/** Lists up to this length are rendered as a whole by default, so that the browser's own search finds everything. */
const WHOLE_UP_TO = 100;

export interface VirtualRowsOptions<Item> {
  readonly items: readonly Item[];
  /** A key that is stable while the list changes. A row whose height depends on a state has one key for each state. */
  readonly keyOf: (item: Item) => string;
  /** The height of a row before it is measured. */
  readonly heightOf: (item: Item) => number;
  /** Renders all rows. True by default for up to 100 rows. */
  readonly isWhole?: boolean;
  /** A row that is always rendered, for example the list's tab stop. */
  readonly pinned?: number | undefined;
  /** The container's distance from the top of the page. Measured by default. */
  readonly top?: number | undefined;
}

export interface VirtualRow<Item> {
  readonly item: Item;
  readonly index: number;
  /** The height of the rows between the previous rendered row and this one. */
  readonly spaceBefore: number;
  /** The distance from the top of the page or of the scrolling container. Undefined if all rows are rendered. */
  readonly top: number | undefined;
}

export interface VirtualRows<Item, Container extends Element> {
  /** For the element that contains the rows. */
  readonly container: RefObject<Container | null>;
  /** The rows to render: children of the container, each with `data-index` and `ref={measure}`. */
  readonly rows: readonly VirtualRow<Item>[];
  /** The height of the rows after the last rendered row. */
  readonly spaceAfter: number;
  readonly measure: RefCallback<Element> | undefined;
}

/** For a list that scrolls with the page. */
export function useVirtualRows<Item, Container extends Element>(
  options: VirtualRowsOptions<Item>,
): VirtualRows<Item, Container> {
  const container = useRef<Container>(null);
  const [measuredTop, setMeasuredTop] = useState(0);
  useLayoutEffect(() => {
    if (options.top !== undefined || container.current === null) return;
    setMeasuredTop(Math.round(container.current.getBoundingClientRect().top + window.scrollY));
  });
  const top = options.top ?? measuredTop;
  const virtualizer = useWindowVirtualizer<Element>({
    ...useVirtualOptions(container, options),
    scrollMargin: top,
    overscan: 3,
  });
  return toRows(virtualizer, options.items, container, top);
}

/** For a container that scrolls by itself. */
export function useScrolledRows<Item, Container extends Element>(
  options: VirtualRowsOptions<Item>,
): VirtualRows<Item, Container> {
  const container = useRef<Container>(null);
  const virtualizer = useVirtualizer<Container, Element>({
    ...useVirtualOptions(container, options),
    getScrollElement: () => container.current,
    overscan: 8,
  });
  return toRows(virtualizer, options.items, container, 0);
}

function useVirtualOptions<Item>(container: RefObject<Element | null>, options: VirtualRowsOptions<Item>) {
  const { items, keyOf, heightOf, isWhole = items.length <= WHOLE_UP_TO, pinned } = options;
  const rangeExtractor = useCallback(
    (range: Range) => {
      const indexes = new Set(defaultRangeExtractor(range));
      for (const kept of [pinned, focusedIndex(container.current)]) {
        if (kept !== undefined && kept < range.count) indexes.add(kept);
      }
      return [...indexes].sort((one, other) => one - other);
    },
    [container, pinned],
  );
  return {
    count: items.length,
    getItemKey: (index: number) => {
      const item = items[index];
      return item === undefined ? index : keyOf(item);
    },
    estimateSize: (index: number) => {
      const item = items[index];
      return item === undefined ? 0 : heightOf(item);
    },
    rangeExtractor,
    enabled: !isWhole,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
  };
}

/** The index of the row that contains the focus. */
function focusedIndex(container: Element | null): number | undefined {
  let row = document.activeElement;
  if (container === null || !container.contains(row)) return undefined;
  while (row !== null && row.parentElement !== container) row = row.parentElement;
  const index = row?.getAttribute('data-index');
  return index == null ? undefined : Number(index);
}

function toRows<Item, Scroller extends Element | Window, Container extends Element>(
  virtualizer: Virtualizer<Scroller, Element>,
  items: readonly Item[],
  container: RefObject<Container | null>,
  top: number,
): VirtualRows<Item, Container> {
  if (!virtualizer.options.enabled) {
    const rows = items.map((item, index) => ({ item, index, spaceBefore: 0, top: undefined }));
    return { container, rows, spaceAfter: 0, measure: undefined };
  }
  let end = top;
  const rows = virtualizer.getVirtualItems().flatMap(({ index, start, end: ownEnd }) => {
    const item = items[index];
    if (item === undefined) return [];
    const spaceBefore = Math.max(0, start - end);
    end = ownEnd;
    return [{ item, index, spaceBefore, top: start }];
  });
  const spaceAfter = Math.max(0, top + virtualizer.getTotalSize() - end);
  return { container, rows, spaceAfter, measure: virtualizer.measureElement };
}
