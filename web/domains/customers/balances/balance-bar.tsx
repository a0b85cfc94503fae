/** Quota and balances side by side, each as wide as what there is of it, filled with what is used of it, then lighter with what is held. */
import { formatNumber } from '#web/ui/format.ts';
import { takenText } from '#web/ui/labels/meter.tsx';
import type { BalanceSource } from './balance-groups.ts';
import classes from './balances.module.css';

export interface BalanceBarProps {
  /** What is measured, for screen readers. */
  readonly label: string;
  readonly sources: readonly BalanceSource[];
  readonly limit: number;
  readonly used: number;
  readonly held: number;
  /** Usage above all of them. */
  readonly overage: number;
}

/** More would be thinner than a line. */
const MAX_PARTS = 24;
const HUES = 5;

/** The place of a source's colour: 0 is the quota's. @param place among the sources */
export function hueOf({ line }: BalanceSource, place: number, sources: readonly BalanceSource[]): number {
  if (line.kind === 'quota') return 0;
  const before = sources.slice(0, place).filter((each) => each.line.kind === 'balance').length;
  return (before % HUES) + 1;
}

export function BalanceBar({ label, sources, limit, used, held, overage }: BalanceBarProps) {
  const parts = sources.filter(({ line }) => line.amount > 0).slice(0, MAX_PARTS);
  const semantics = {
    role: 'meter',
    'aria-label': label,
    'aria-valuemin': 0,
    'aria-valuemax': Math.max(limit, used),
    'aria-valuenow': used,
    'aria-valuetext':
      held > 0 ? takenText(used, held, limit) : `${formatNumber(used)} of ${formatNumber(limit)} used`,
  } as const;
  return (
    <span {...semantics} className={classes.bar}>
      {parts.map((source) => {
        const { line } = source;
        const { amount, used, held = 0 } = line;
        return (
          <span
            key={line.id ?? line.kind}
            className={classes.part}
            data-hue={hueOf(source, sources.indexOf(source), sources)}
            style={{ flexGrow: amount }}
          >
            <span style={{ width: `${(used / amount) * 100}%` }} />
            {held > 0 && <span data-held style={{ width: `${(held / amount) * 100}%` }} />}
          </span>
        );
      })}
      {overage > 0 && (
        <span className={classes.part} data-over style={{ flexGrow: overage }}>
          <span style={{ width: '100%' }} />
        </span>
      )}
    </span>
  );
}
