/** Whether a feature is allowed, in words and as a mark: the same everywhere. */
import type { DenialReason } from '#contracts/public/verdict';
import type { DenialCause } from '#engine/events/denial-cause';

export const DENIAL_LABELS: Readonly<Record<DenialCause, string>> = {
  'not-in-plan': 'Not in plan',
  'limit-reached': 'Limit reached',
  'token-not-accepted': 'Token not accepted',
  blocked: 'Blocked',
};

export interface VerdictMarkProps {
  /** As an answer has it. Undefined shows nothing. */
  readonly verdict: { readonly allowed: boolean; readonly reason?: DenialReason | undefined } | undefined;
}

export function VerdictMark({ verdict }: VerdictMarkProps) {
  if (verdict === undefined) return null;
  const { allowed, reason } = verdict;
  if (allowed || reason === undefined) return <span className="muted tiny">Allowed</span>;
  return <span className="limit-mark denied">{DENIAL_LABELS[reason]}</span>;
}
