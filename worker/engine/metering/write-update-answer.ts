/** The response body of a counter update, as text: for the caller and for the recorded event. */
import type { Warning } from '#contracts/public/subjects';
import type { MeterAnswer } from './read-meter.ts';

/** @param meter the meter after the update */
export function writeUpdateAnswer(
  requestId: string,
  {
    accepted,
    replayed,
    meter,
  }: { readonly accepted: boolean; readonly replayed: boolean; readonly meter: MeterAnswer },
  warnings: readonly Warning[],
): string {
  return JSON.stringify({ status: 'success', requestId, accepted, replayed, meter, warnings });
}
