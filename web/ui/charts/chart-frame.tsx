/**
 * What every chart over time has in common: equal slots side by side, a read-out of the slot under the pointer, and the same
 * by keyboard. The arrow keys move, Enter opens a slot, dragging or Shift with the arrow keys selects a range, and Escape
 * drops it. For screen readers it is a slider over the slots, and `valueText` is what they read.
 */
import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react';
import classes from './charts.module.css';

export interface ChartFrameProps {
  /** What the chart shows, for screen readers. */
  readonly label: string;
  /** Number of slots. */
  readonly count: number;
  /** Slots that have a value; those after them are in the future. Default: all. */
  readonly known?: number;
  /** In pixels. */
  readonly height: number;
  /** Index of the slot whose figures are shown. */
  readonly pointed: number | null;
  readonly onPoint: (index: number | null) => void;
  /** The figures of a slot, or of all slots of a range, in words. */
  readonly valueText: (first: number, last: number) => string;
  /** A click or Enter on a slot. */
  readonly onChoose?: ((index: number) => void) | undefined;
  /** A range was selected; both ends are included. */
  readonly onRange?: ((first: number, last: number) => void) | undefined;
  /** The range that is being selected; null once it is selected or dropped. */
  readonly onSelecting?: ((range: SlotRange | null) => void) | undefined;
  readonly children: ReactNode;
}

/** Slots of a chart; both ends are included. */
export interface SlotRange {
  readonly first: number;
  readonly last: number;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

export function ChartFrame(props: ChartFrameProps) {
  const {
    label,
    count,
    known = count,
    height,
    pointed,
    onPoint,
    valueText,
    onChoose,
    onRange,
    onSelecting,
  } = props;
  const frame = useRef<HTMLDivElement>(null);
  const [range, setRange] = useState<Range | null>(null);
  const [isDragging, setIsDragging] = useState(false);
  const last = Math.max(0, known - 1);

  const select = (next: Range | null) => {
    setRange(next);
    onSelecting?.(next === null || next.start === next.end ? null : inOrder(next));
  };
  const slotAt = (clientX: number): number => {
    const box = frame.current?.getBoundingClientRect();
    if (box === undefined || box.width === 0) return 0;
    return Math.floor(((clientX - box.left) / box.width) * count);
  };
  const apply = ({ start, end }: Range) => {
    select(null);
    if (start === end) onChoose?.(start);
    else {
      const { first, last } = inOrder({ start, end });
      onRange?.(first, last);
    }
  };
  const onPointerDown = (event: PointerEvent) => {
    const slot = slotAt(event.clientX);
    if (event.button !== 0 || slot < 0 || slot > last) return;
    onPoint(slot);
    if (onChoose === undefined && onRange === undefined) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    select({ start: slot, end: slot });
    setIsDragging(true);
  };
  const onPointerMove = (event: PointerEvent) => {
    const slot = slotAt(event.clientX);
    if (isDragging && range !== null) {
      const end = Math.min(last, Math.max(0, slot));
      select({ start: range.start, end: onRange === undefined ? range.start : end });
      onPoint(end);
    } else onPoint(slot >= 0 && slot <= last ? slot : null);
  };
  const onPointerUp = () => {
    setIsDragging(false);
    if (isDragging && range !== null) apply(range);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const from = pointed ?? last;
    const next = keyTarget(event.key, from, last);
    if (next !== null) {
      onPoint(next);
      select(event.shiftKey && onRange !== undefined ? { start: range?.start ?? from, end: next } : null);
    } else if (event.key === 'Enter' && pointed !== null) apply(range ?? { start: pointed, end: pointed });
    else if (event.key === 'Escape' && range !== null) select(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const { first, last: end } = inOrder(range ?? { start: pointed ?? last, end: pointed ?? last });
  const shown = range ?? (pointed === null ? null : { start: pointed, end: pointed });
  return (
    <div
      ref={frame}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={pointed ?? last}
      aria-valuetext={count === 0 ? 'No data' : valueText(first, end)}
      className={classes.frame}
      data-active={onChoose !== undefined || onRange !== undefined || undefined}
      style={{ height }}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={() => {
        setIsDragging(false);
        select(null);
      }}
      onPointerLeave={() => !isDragging && onPoint(null)}
      onFocus={() => pointed === null && count > 0 && onPoint(last)}
      onBlur={() => {
        select(null);
        onPoint(null);
      }}
      onKeyDown={onKeyDown}
    >
      {shown !== null && (
        <Highlight {...shown} count={count} isRange={range !== null && range.start !== range.end} />
      )}
      {props.children}
    </div>
  );
}

const inOrder = ({ start, end }: Range): SlotRange => ({
  first: Math.min(start, end),
  last: Math.max(start, end),
});

function Highlight({ start, end, count, isRange }: Range & { count: number; isRange: boolean }) {
  const first = Math.min(start, end);
  const share = 100 / count;
  return (
    <span
      className={classes.highlight}
      data-range={isRange || undefined}
      style={{ left: `${first * share}%`, width: `${(Math.abs(end - start) + 1) * share}%` }}
    />
  );
}

function keyTarget(key: string, from: number, last: number): number | null {
  switch (key) {
    case 'ArrowLeft':
      return Math.max(0, from - 1);
    case 'ArrowRight':
      return Math.min(last, from + 1);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}
