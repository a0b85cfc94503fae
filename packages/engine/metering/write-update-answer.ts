/** The response body of a counter update, as text: for the caller and for the recorded event. */
import type { Warning } from '#contracts/public/subjects';
import type { DenialReason } from '#contracts/public/verdict';
import type { AnsweredDraw } from '../balances/answered-draws.ts';
import type { MeterAnswer } from './read-meter.ts';

export interface UpdateAnswer {
  readonly accepted: boolean;
  readonly replayed: boolean;
  /** What the update added to the count. */
  readonly applied: number;
  /** What it drew from balances, or gave back to them; undefined without any. */
  readonly draws: readonly AnsweredDraw[] | undefined;
  /** Why the feature is not allowed; null if it is. */
  readonly denial: DenialReason | null;
  /** The meter after the update. */
  readonly meter: MeterAnswer;
}

export function writeUpdateAnswer(
  requestId: string,
  { accepted, replayed, applied, draws, denial, meter }: UpdateAnswer,
  warnings: readonly Warning[],
): string {
  return JSON.stringify({
    status: 'success',
    requestId,
    accepted,
    replayed,
    applied,
    draws,
    allowed: denial === null,
    reason: denial ?? undefined,
    meter,
    warnings,
  });
}
