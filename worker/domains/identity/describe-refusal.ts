/** Why a token does not say who its bearer is, in the words of the answer's warnings. */
import type { Warning } from '#contracts/subjects';
import { type WarningCode, warningOf } from '#contracts/warnings';

/** Sorted by how far the token came: of several integrations, the refusal of the one that came furthest is told. */
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
] as const satisfies readonly WarningCode[];
export type Refusal = (typeof REFUSALS)[number];

export function describeRefusal(code: Refusal): Warning {
  return warningOf(code);
}

/** The one that came further. */
export function furtherRefusal(one: Refusal, other: Refusal): Refusal {
  return REFUSALS.indexOf(one) >= REFUSALS.indexOf(other) ? one : other;
}
