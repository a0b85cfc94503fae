/** What a chart's read-out covers: the range that is being selected, otherwise the slot under the pointer. */
import { useState } from 'react';
import type { ChartFrameProps, SlotRange } from './chart-frame.tsx';
import { periodOfSlots, type Slots, spanLabel } from './time-labels.ts';

export interface ReadOut {
  /** Null: the whole chart. */
  readonly covered: SlotRange | null;
  /** For each chart that shares the read-out. */
  readonly frame: Required<Pick<ChartFrameProps, 'pointed' | 'onPoint' | 'onSelecting'>>;
}

export function useReadOut(): ReadOut {
  const [pointed, onPoint] = useState<number | null>(null);
  const [selecting, onSelecting] = useState<SlotRange | null>(null);
  return {
    covered: selecting ?? (pointed === null ? null : { first: pointed, last: pointed }),
    frame: { pointed, onPoint, onSelecting },
  };
}

/** The time that a read-out covers. @param labels of the whole chart, and of each slot */
export function coveredLabel(
  covered: SlotRange | null,
  slots: Slots,
  labels: { readonly whole: string; readonly slots: readonly string[] },
): string | undefined {
  if (covered === null) return labels.whole;
  const { first, last } = covered;
  if (first === last) return labels.slots[first];
  const { from, to } = periodOfSlots(slots, first, last);
  return spanLabel(from, to, slots.bucketMs);
}
