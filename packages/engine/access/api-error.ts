/**
 * The errors that calls are refused with: thrown by the pipeline and by every handler of the Worker. Those of the public API have a code.
 * Messages may contain what callers sent, so they are escaped here.
 */

import { escapeText } from '#contracts/public/characters';
import { type ErrorType, HTTP_STATUS } from '#contracts/public/error-types';
import type { Issue, PublicError } from '#contracts/public/errors';
import type { CodeOf, RefusalCode } from '#contracts/public/refusals';

interface ApiErrorDetail {
  readonly issues?: readonly Issue[];
  /** With `conflict`: the current state. */
  readonly current?: unknown;
  /** Beside `current`: the id of the user who made it so. */
  readonly changedBy?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly errorType: ErrorType;
  readonly detail: ApiErrorDetail;

  constructor(errorType: ErrorType, message: string, detail: ApiErrorDetail = {}) {
    super(escapeText(message));
    this.errorType = errorType;
    const { issues } = detail;
    this.detail = issues === undefined ? detail : { ...detail, issues: issues.map(escapeIssue) };
  }

  get status(): number {
    return HTTP_STATUS[this.errorType];
  }
}

function escapeIssue({ path, message }: Issue): Issue {
  return { path: escapeText(path), message: escapeText(message) };
}

/** A refusal of the public API. The compiler knows which codes a type has; the table itself would make clients larger. */
export class Refusal<Type extends ErrorType = ErrorType> extends ApiError {
  readonly code: RefusalCode;

  constructor(errorType: Type, code: CodeOf<Type>, message: string, detail?: ApiErrorDetail) {
    super(errorType, message, detail);
    this.code = code;
  }
}

/** A body, query or field that cannot be accepted; `issues` name the fields. */
export function invalidRequest(
  issues: readonly Issue[],
  code: CodeOf<'invalid-request'> = 'invalid-field',
): Refusal {
  const first = issues[0];
  const message =
    first === undefined ? 'Invalid input' : first.path ? `${first.path}: ${first.message}` : first.message;
  return new Refusal('invalid-request', code, message, { issues });
}

/** One invalid field. */
export function invalidField(path: string, message: string, code?: CodeOf<'invalid-request'>): Refusal {
  return invalidRequest([{ path, message }], code);
}

/** One field conflicts with what exists. */
export function conflicting(code: CodeOf<'conflict'>, path: string, message: string): Refusal {
  return new Refusal('conflict', code, `${path}: ${message}`, { issues: [{ path, message }] });
}

/** The body of the public API's error response. */
export function errorBody(refusal: Refusal, requestId: string): PublicError {
  const { code, errorType, message, detail } = refusal;
  const { issues } = detail;
  return {
    status: 'error',
    requestId,
    errorType,
    code,
    message,
    ...(issues === undefined ? {} : { issues: [...issues] }),
  };
}
