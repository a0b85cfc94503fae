/** Which columns of a grid that scrolls by itself are near its window. All have one width; the first column is sticky. */
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useLayoutEffect } from 'react';

export interface VirtualColumn {
  readonly index: number;
  /** The width of the columns between the previous rendered one and this one. */
  readonly spaceBefore: number;
}

/** @param pinned a column that is always rendered */
export function useScrolledColumns(
  container: RefObject<HTMLDivElement | null>,
  count: number,
  width: { readonly first: number; readonly column: number },
  pinned: number,
): { readonly columns: readonly VirtualColumn[]; readonly spaceAfter: number } {
  const rangeExtractor = useCallback(
    (range: Range) => {
      const indexes = new Set(defaultRangeExtractor(range));
      if (pinned < range.count) indexes.add(pinned);
      return [...indexes].sort((one, other) => one - other);
    },
    [pinned],
  );
  const virtualizer = useVirtualizer<HTMLDivElement, Element>({
    horizontal: true,
    count,
    getScrollElement: () => container.current,
    estimateSize: () => width.column,
    paddingStart: width.first,
    overscan: 2,
    rangeExtractor,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: sizes are cached per width.
  useLayoutEffect(() => virtualizer.measure(), [width, virtualizer]);
  let end = width.first;
  const columns = virtualizer.getVirtualItems().map(({ index, start, end: ownEnd }) => {
    const spaceBefore = Math.max(0, start - end);
    end = ownEnd;
    return { index, spaceBefore };
  });
  return { columns, spaceAfter: Math.max(0, virtualizer.getTotalSize() - end) };
}
