/** The outcomes as series of a chart, from bottom to top. */
import type { EventOutcome } from '#contracts/console/events';
import { OUTCOME_LABELS } from './event-labels.ts';

const ORDER: readonly EventOutcome[] = ['allowed', 'warning', 'denied', 'error'];

export const OUTCOME_SERIES = ORDER.map((outcome) => ({
  outcome,
  label: OUTCOME_LABELS[outcome],
  colour: `--chart-${outcome}`,
}));

/** One value for each series. */
export const outcomeValues = (counts: Readonly<Record<EventOutcome, number>>): number[] =>
  OUTCOME_SERIES.map(({ outcome }) => counts[outcome]);
