/** The response body of a counter update or of a call about a hold, as text: for the caller and for the recorded event. */
import type { HoldState } from '#contracts/internal/ledger';
import type { Warning } from '#contracts/public/subjects';
import type { DenialReason } from '#contracts/public/verdict';
import type { AnsweredDraw } from '../balances/answered-draws.ts';
import type { CountedCost } from './cost-answer.ts';
import { HOLD_PREFIX } from './hold-id.ts';
import type { LimitOwner, MeterAnswer } from './read-meter.ts';

export interface UpdateAnswer {
  readonly accepted: boolean;
  readonly replayed: boolean;
  /** What the update added to the count. */
  readonly applied: number;
  /** What it drew from balances, or gave back to them; undefined without any. */
  readonly draws: readonly AnsweredDraw[] | undefined;
  /** Of a give-back: what stays, because balances that ended or are frozen paid for it; undefined if nothing. */
  readonly lost?: number | undefined;
  /** What it counted on the meter that pays for it; undefined without one. */
  readonly costs?: CountedCost | undefined;
  /** Why the feature is not allowed; null if it is. */
  readonly denial: DenialReason | null;
  /** With a denial: whose limit does not allow it, where each entity has one. */
  readonly limitOf?: LimitOwner | undefined;
  /** The meter after the update. */
  readonly meter: MeterAnswer;
  /** Of a call about one: null if nothing is held. Undefined for a counter update. */
  readonly hold?: HoldState | null | undefined;
  /** Whether the call was to settle it. */
  readonly isSettling?: boolean | undefined;
}

export function writeUpdateAnswer(
  requestId: string,
  { accepted, replayed, applied, draws, lost, costs, denial, limitOf, meter, hold, isSettling }: UpdateAnswer,
  warnings: readonly Warning[],
): string {
  return JSON.stringify({
    status: 'success',
    requestId,
    accepted,
    replayed,
    ...(hold === undefined ? { applied } : holdFields(hold, isSettling === true ? applied : null)),
    draws,
    lost,
    allowed: denial === null,
    reason: denial ?? undefined,
    limitOf: denial === null ? undefined : limitOf,
    meter,
    costs,
    warnings,
  });
}

/** @param applied null unless it was to be settled: what is only held is not applied */
function holdFields(hold: HoldState | null, applied: number | null): Readonly<Record<string, unknown>> {
  if (hold === null) return { hold };
  const { name, amount, expiresAt, settled } = hold;
  const said = { hold: { id: HOLD_PREFIX + name, amount, expiresAt } };
  if (applied === null) return said;
  return { applied, released: settled?.released ?? 0, overage: settled?.overage ?? 0, ...said };
}
