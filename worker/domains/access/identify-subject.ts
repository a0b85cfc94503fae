/**
 * Who is asked about (DESIGN section 5). A bare identifier is trusted from a secret key only; where the subject cannot
 * be made out it is anonymous, and a warning says why: only a malformed request is an error.
 */
import type { AccessCheckRequest, Warning } from '#contracts/access';
import type { ApiKeyType } from '#contracts/api-keys';
import { readIdentifier } from '#engine/identity/read-identifier';
import { invalidField } from '#worker/http/api-error';

export interface Identity {
  readonly isAuthenticated: boolean;
  readonly method: 'identifier' | 'jwt' | 'anonymous';
  /** Canonical; null for anonymous subjects. */
  readonly identifier: string | null;
}

const ANONYMOUS: Identity = { isAuthenticated: false, method: 'anonymous', identifier: null };

const WARNINGS = {
  'identifier-needs-secret-key':
    'userIdentifier is trusted from a secret key only, so the subject was treated as anonymous',
  'jwt-integration-missing': 'No JWT integration is set up, so the subject was treated as anonymous',
} as const;

/** @throws {ApiError} invalid-request naming userIdentifier */
export function identifySubject(
  request: AccessCheckRequest,
  keyType: ApiKeyType,
  warnings: Warning[],
): Identity {
  const warn = (code: keyof typeof WARNINGS): Identity => {
    warnings.push({ code, message: WARNINGS[code] });
    return ANONYMOUS;
  };
  if (request.userJwt !== undefined) return warn('jwt-integration-missing');
  if (request.userIdentifier === undefined) return ANONYMOUS;
  const read = readIdentifier(request.userIdentifier);
  if (!read.ok) throw invalidField('userIdentifier', REASONS[read.reason]);
  if (keyType === 'public') return warn('identifier-needs-secret-key');
  return { isAuthenticated: true, method: 'identifier', identifier: read.canonical };
}

const REASONS = {
  empty: 'Must not be empty',
  'too-long': 'Must be at most 200 characters',
  'control-character': 'Must not contain control characters',
  'not-unicode': 'Must be well-formed Unicode',
} as const;
