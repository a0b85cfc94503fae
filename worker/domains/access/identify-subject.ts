/**
 * Who is asked about (DESIGN section 5). A bare identifier is trusted from a secret key only; where the subject cannot
 * be made out it is anonymous, and a warning says why: only a malformed request is an error.
 */
import type { ApiKeyType } from '#contracts/api-keys';
import type { Warning } from '#contracts/subjects';
import { warningOf } from '#contracts/warnings';
import { readIdentifier } from '#engine/identity/read-identifier';
import { describeRefusal } from '#worker/domains/identity/describe-refusal';
import type { Verdict } from '#worker/domains/identity/verify-token';
import { invalidField } from '#worker/http/api-error';

export interface Identity {
  readonly isAuthenticated: boolean;
  readonly method: 'identifier' | 'jwt' | 'anonymous';
  /** Canonical; null for anonymous subjects. */
  readonly identifier: string | null;
  /** Epoch milliseconds; the answer must not be kept for longer. Infinity where nothing ends it. */
  readonly expiresAt: number;
}

const ANONYMOUS: Identity = {
  isAuthenticated: false,
  method: 'anonymous',
  identifier: null,
  expiresAt: Number.POSITIVE_INFINITY,
};

const NEEDS_SECRET_KEY = warningOf('identifier-needs-secret-key');

/**
 * @param verdict on the request's userJwt, where it has one
 * @throws {ApiError} invalid-request naming userIdentifier
 */
export function identifySubject(
  request: { readonly userIdentifier?: string | undefined },
  verdict: Verdict | undefined,
  keyType: ApiKeyType,
  warnings: Warning[],
): Identity {
  const warn = (warning: Warning): Identity => {
    warnings.push(warning);
    return ANONYMOUS;
  };
  if (verdict !== undefined) {
    if (typeof verdict === 'string') return warn(describeRefusal(verdict));
    return { isAuthenticated: true, method: 'jwt', ...verdict };
  }
  if (request.userIdentifier === undefined) return ANONYMOUS;
  const read = readIdentifier(request.userIdentifier);
  if (!read.ok) throw invalidField('userIdentifier', REASONS[read.reason]);
  if (keyType === 'public') return warn(NEEDS_SECRET_KEY);
  return {
    isAuthenticated: true,
    method: 'identifier',
    identifier: read.canonical,
    expiresAt: Number.POSITIVE_INFINITY,
  };
}

const REASONS = {
  empty: 'Must not be empty',
  'too-long': 'Must be at most 200 characters',
  'control-character': 'Must not contain control characters',
  'not-unicode': 'Must be well-formed Unicode',
} as const;
