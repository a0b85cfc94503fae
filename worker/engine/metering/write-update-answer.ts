/** The answer to a counter update as text: for its caller, and for the event that tells of it. */
import type { Warning } from '#contracts/subjects';
import type { MeterAnswer } from './read-meter.ts';

/** @param meter as it stands after the update */
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
