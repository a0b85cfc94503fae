/**
 * The error that calls are refused with: thrown by the pipeline and by every handler of the Worker. worker/http/respond.ts turns it into
 * the public body. Messages may contain what callers sent, so they are escaped here.
 */

import { escapeText } from '#contracts/public/characters';
import { type ErrorType, HTTP_STATUS } from '#contracts/public/error-types';
import type { Issue, PublicError } from '#contracts/public/errors';

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

/** A body, query or field that cannot be accepted; `issues` name the fields. */
export function invalidRequest(issues: readonly Issue[]): ApiError {
  const first = issues[0];
  const message =
    first === undefined ? 'Invalid input' : first.path ? `${first.path}: ${first.message}` : first.message;
  return new ApiError('invalid-request', message, { issues });
}

/** One invalid field. */
export function invalidField(path: string, message: string): ApiError {
  return invalidRequest([{ path, message }]);
}

/** For what does not exist and for what belongs to another organisation, which callers cannot tell apart. */
export function notFound(what: string): ApiError {
  return new ApiError('not-found', `${what} could not be found`);
}

/** A value that must be unique exists already. */
export function duplicate(path: string, message: string): ApiError {
  return new ApiError('conflict', message, { issues: [{ path, message }] });
}

/** The body of the public API's error response. */
export function errorBody(error: ApiError, requestId: string): PublicError {
  const { issues } = error.detail;
  return {
    status: 'error',
    requestId,
    errorType: error.errorType,
    message: error.message,
    ...(issues === undefined ? {} : { issues: [...issues] }),
  };
}
