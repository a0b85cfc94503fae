/**
 * The identify stage: the subject of a check. A bare identifier is accepted with a secret key only. If the subject cannot
 * be verified it is anonymous, and a warning says why; only a malformed request is an error.
 */
import type { ApiKeyType } from '#contracts/public/api-key-type';
import { callWarningOf } from '#contracts/public/call-warnings';
import { IDENTIFIER_PROBLEMS, readIdentifier } from '#contracts/public/identifiers';
import type { Warning } from '#contracts/public/subjects';
import type { Verdict } from '../identity/check-claims.ts';
import { describeRefusal } from '../identity/describe-refusal.ts';
import { invalidField } from './api-error.ts';

export interface Identity {
  readonly isAuthenticated: boolean;
  readonly method: 'identifier' | 'jwt' | 'anonymous';
  /** Canonical; null for anonymous subjects. */
  readonly identifier: string | null;
  /** Epoch milliseconds; the answer must not be kept for longer. Infinity if the identity does not expire. */
  readonly expiresAt: number;
}

export interface IdentifiedSubject {
  readonly identity: Identity;
  readonly warnings: readonly Warning[];
}

const ANONYMOUS: IdentifiedSubject = {
  identity: {
    isAuthenticated: false,
    method: 'anonymous',
    identifier: null,
    expiresAt: Number.POSITIVE_INFINITY,
  },
  warnings: [],
};
const NONE: readonly never[] = [];
const NEEDS_SECRET_KEY = callWarningOf('identifier-needs-secret-key');

/**
 * @param verdict on the request's userJwt; undefined without one
 * @throws {ApiError} invalid-request naming userIdentifier
 */
export function identifySubject(
  request: {
    readonly userIdentifier?: string | undefined;
    readonly known?: { readonly identifier: string } | undefined;
  },
  verdict: Verdict | undefined,
  keyType: ApiKeyType,
): IdentifiedSubject {
  if (verdict !== undefined) {
    if (typeof verdict === 'string') return anonymous(describeRefusal(verdict));
    const { identifier, expiresAt } = verdict;
    return { identity: { isAuthenticated: true, method: 'jwt', identifier, expiresAt }, warnings: NONE };
  }
  if (request.known !== undefined) return identified(request.known.identifier);
  if (request.userIdentifier === undefined) return ANONYMOUS;
  const read = readIdentifier(request.userIdentifier);
  if (!read.ok) throw invalidField('userIdentifier', IDENTIFIER_PROBLEMS[read.reason]);
  return keyType === 'public' ? anonymous(NEEDS_SECRET_KEY) : identified(read.canonical);
}

function identified(identifier: string): IdentifiedSubject {
  return {
    identity: {
      isAuthenticated: true,
      method: 'identifier',
      identifier,
      expiresAt: Number.POSITIVE_INFINITY,
    },
    warnings: NONE,
  };
}

function anonymous(why: Warning): IdentifiedSubject {
  return { identity: ANONYMOUS.identity, warnings: [why] };
}
