/** Why a token is refused, as warning codes. */

import { callWarningOf } from '#contracts/public/call-warnings';
import type { Warning } from '#contracts/public/subjects';
import type { WarningCode } from '#contracts/public/warnings';

/** In the order of the checks. With several integrations, the refusal at the latest check is reported. */
export const REFUSALS = [
  'jwt-integration-missing',
  'jwt-too-large',
  'jwt-malformed',
  'jwt-algorithm-not-allowed',
  'jwt-key-unknown',
  'jwt-signature-invalid',
  'jwt-issuer-mismatch',
  'jwt-audience-mismatch',
  'jwt-expiry-missing',
  'jwt-expired',
  'jwt-lifetime-too-long',
  'jwt-not-yet-valid',
  'jwt-claim-missing',
  'jwt-claim-invalid',
  'jwt-email-unverified',
] as const satisfies readonly WarningCode[];
export type Refusal = (typeof REFUSALS)[number];

export function describeRefusal(code: Refusal): Warning {
  return callWarningOf(code);
}

/** The refusal at the later check. */
export function furtherRefusal(one: Refusal, other: Refusal): Refusal {
  return REFUSALS.indexOf(one) >= REFUSALS.indexOf(other) ? one : other;
}
