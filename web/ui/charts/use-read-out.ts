/** What a chart's read-out covers: the range that is being selected, otherwise the slot under the pointer. */
import { useState } from 'react';
import type { ChartFrameProps, SlotRange } from './chart-frame.tsx';

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
