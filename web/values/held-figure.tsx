/** What open holds have taken of a meter, and when the first of them ends by itself. */
import { formatAge, formatNumber } from '#web/ui/format.ts';
import { Hint } from '#web/ui/labels/hint.tsx';
import { useNow } from '#web/ui/use-now.ts';

export interface HeldFigureProps {
  readonly held: number;
  /** Epoch milliseconds. */
  readonly until: number | undefined;
}

export function HeldFigure({ held, until }: HeldFigureProps) {
  const now = useNow(10_000);
  if (held === 0) return null;
  const end = until === undefined ? '' : ` The first ends ${endWords(until, now)} unless it is extended.`;
  return (
    <Hint label={`Open holds count against the limit until they are settled.${end}`}>
      <span className="muted">{formatNumber(held)} held</span>
    </Hint>
  );
}

function endWords(at: number, now: number): string {
  const age = formatAge(Math.max(at, now), now);
  return age === 'just now' ? 'within a minute' : age;
}
