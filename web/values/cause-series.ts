/** Why calls were denied, as series of a chart, from bottom to top. Bars of one feature and of all calls share the colours. */
import { DENIAL_CAUSES, type DenialCause } from '#engine/events/denial-cause';
import { DENIAL_LABELS } from './verdict.tsx';

const COLOURS: Readonly<Record<DenialCause, string>> = {
  'not-in-plan': '--chart-denied',
  'limit-reached': '--chart-warning',
  'token-not-accepted': '--series-4',
  blocked: '--chart-error',
};

export const CAUSE_SERIES = DENIAL_CAUSES.map((cause) => ({
  cause,
  label: DENIAL_LABELS[cause],
  colour: COLOURS[cause],
}));

/** One value for each series. */
export const causeValues = (counts: Readonly<Record<DenialCause, number>>): number[] =>
  CAUSE_SERIES.map(({ cause }) => counts[cause]);
