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
  /** A slot and its figures in words. */
  readonly valueText: (index: number) => string;
  /** A click or Enter on a slot. */
  readonly onChoose?: ((index: number) => void) | undefined;
  /** A range was selected; both ends are included. */
  readonly onRange?: ((first: number, last: number) => void) | undefined;
  readonly children: ReactNode;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

export function ChartFrame(props: ChartFrameProps) {
  const { label, count, known = count, height, pointed, onPoint, valueText, onChoose, onRange } = props;
  const frame = useRef<HTMLDivElement>(null);
  const [range, setRange] = useState<Range | null>(null);
  const [isDragging, setIsDragging] = useState(false);
  const last = Math.max(0, known - 1);

  const slotAt = (clientX: number): number => {
    const box = frame.current?.getBoundingClientRect();
    if (box === undefined || box.width === 0) return 0;
    return Math.floor(((clientX - box.left) / box.width) * count);
  };
  const apply = ({ start, end }: Range) => {
    setRange(null);
    if (start === end) onChoose?.(start);
    else onRange?.(Math.min(start, end), Math.max(start, end));
  };
  const onPointerDown = (event: PointerEvent) => {
    const slot = slotAt(event.clientX);
    if (event.button !== 0 || slot < 0 || slot > last) return;
    onPoint(slot);
    if (onChoose === undefined && onRange === undefined) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    setRange({ start: slot, end: slot });
    setIsDragging(true);
  };
  const onPointerMove = (event: PointerEvent) => {
    const slot = slotAt(event.clientX);
    if (isDragging && range !== null) {
      const end = Math.min(last, Math.max(0, slot));
      setRange({ start: range.start, end: onRange === undefined ? range.start : end });
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
      setRange(event.shiftKey && onRange !== undefined ? { start: range?.start ?? from, end: next } : null);
    } else if (event.key === 'Enter' && pointed !== null) apply(range ?? { start: pointed, end: pointed });
    else if (event.key === 'Escape' && range !== null) setRange(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
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
      aria-valuetext={count === 0 ? 'No data' : valueText(pointed ?? last)}
      className={classes.frame}
      data-active={onChoose !== undefined || onRange !== undefined || undefined}
      style={{ height }}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={() => {
        setIsDragging(false);
        setRange(null);
      }}
      onPointerLeave={() => !isDragging && onPoint(null)}
      onFocus={() => pointed === null && count > 0 && onPoint(last)}
      onBlur={() => {
        setRange(null);
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
