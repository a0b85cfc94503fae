/** Why a call was denied, as rows, figures and charts say it: the verdict's reason, or what the customer can do about it first. */
import type { DenialReason } from '#contracts/public/verdict';

/** In the order of stored counts, which is append-only. */
export const DENIAL_CAUSES = ['not-in-plan', 'limit-reached', 'token-not-accepted', 'blocked'] as const;
/**
 * `token-not-accepted`: the subject was anonymous because its token could not be verified, and anonymous visitors do not have the
 * feature. `blocked`: the call was refused because the organisation's allowance is used up.
 */
export type DenialCause = (typeof DENIAL_CAUSES)[number];

export function causeOf(reason: DenialReason, warningCodes: readonly string[]): DenialCause {
  return reason === 'not-in-plan' && warningCodes.some(isAboutToken) ? 'token-not-accepted' : reason;
}

/** Of an error; null: it is no denial. */
export function causeOfError(errorType: string | null | undefined): DenialCause | null {
  return errorType === 'usage-blocked' ? 'blocked' : null;
}

/** See contracts/public/warnings.ts. */
const isAboutToken = (code: string) => code.startsWith('jwt-');
