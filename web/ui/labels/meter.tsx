/**
 * A usage bar: how much of a limit is used. The colour follows the level, and a MeterMark says the same in words. Without
 * a label the bar is decoration beside a figure and hidden from screen readers.
 */
import { formatNumber } from '../format.ts';
import classes from './meter.module.css';

/** `over`: beyond the limit, and allowed. */
export type MeterLevel = 'within' | 'near' | 'over' | 'reached';

/** The share of a limit from which usage is near it. The same as the engine's WARNING_SHARE. */
export const NEAR_SHARE = 0.8;

/** A limit of 0 is always reached. */
export function meterLevel(used: number, limit: number): Exclude<MeterLevel, 'over'> {
  if (used >= limit) return 'reached';
  return used >= limit * NEAR_SHARE ? 'near' : 'within';
}

export interface MeterProps {
  readonly used: number;
  /** What counts against the limit beside `used`. */
  readonly held?: number | undefined;
  readonly limit: number;
  /** Default: the level of what is used and held. */
  readonly level?: MeterLevel;
  /** What the bar measures, for screen readers. */
  readonly label?: string;
  /** 4 px, for tables; otherwise 6 px. */
  readonly isThin?: boolean;
  /** Usage may exceed the limit: the part beyond it is drawn in a lighter colour. */
  readonly isOpenEnded?: boolean;
}

export function Meter(props: MeterProps) {
  const { used, held = 0, limit, level, label, isThin = false, isOpenEnded = false } = props;
  const scale = isOpenEnded ? Math.max(used, limit) : limit;
  const within = Math.min(used, limit);
  const semantics =
    label === undefined
      ? ({ 'aria-hidden': true } as const)
      : ({
          role: 'meter',
          'aria-label': label,
          'aria-valuemin': 0,
          'aria-valuemax': scale,
          'aria-valuenow': Math.min(used, scale),
          ...(held > 0 && { 'aria-valuetext': takenText(used, held, limit) }),
        } as const);
  return (
    <span
      {...semantics}
      className={classes.meter}
      data-level={level ?? (isOpenEnded ? 'within' : meterLevel(used + held, limit))}
      data-thin={isThin || undefined}
    >
      <span style={{ width: widthOf(within, scale) }} />
      {held > 0 && <span data-held style={{ width: widthOf(Math.min(held, limit - within), scale) }} />}
      {isOpenEnded && used > limit && <span style={{ width: widthOf(used - limit, scale) }} />}
    </span>
  );
}

/** '2,150 used and 250 held of 10,000'. */
export const takenText = (used: number, held: number, limit: number) =>
  `${formatNumber(used)} used and ${formatNumber(held)} held of ${formatNumber(limit)}`;

/** Any usage at all is at least 2 px wide. */
const widthOf = (part: number, scale: number) =>
  scale <= 0 ? '100%' : part <= 0 ? '0' : `max(2px, ${Math.min(100, (part / scale) * 100)}%)`;

const MARKS = { near: 'Near the limit', over: 'In overage', reached: 'Limit reached' } as const;

/** The level in words; nothing while usage is well within the limit. */
export function MeterMark({ level }: { readonly level: MeterLevel }) {
  if (level === 'within') return null;
  return <span className={`limit-mark ${level === 'reached' ? 'denied' : 'warning'}`}>{MARKS[level]}</span>;
}
