/** The one error that a handler throws to refuse a call; http/respond.ts makes it the public body. */
import { type ErrorType, HTTP_STATUS, type Issue } from '#contracts/errors';

export interface ApiErrorDetail {
  readonly issues?: readonly Issue[];
  /** With `conflict`: what stands now. */
  readonly current?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly errorType: ErrorType;
  readonly detail: ApiErrorDetail;

  constructor(errorType: ErrorType, message: string, detail: ApiErrorDetail = {}) {
    super(message);
    this.errorType = errorType;
    this.detail = detail;
  }

  get status(): number {
    return HTTP_STATUS[this.errorType];
  }
}

/** A body, query or field that cannot be accepted; `issues` name the fields. */
export function invalidRequest(issues: readonly Issue[]): ApiError {
  const first = issues[0];
  const message =
    first === undefined ? 'Invalid input' : first.path ? `${first.path}: ${first.message}` : first.message;
  return new ApiError('invalid-request', message, { issues });
}

/** One field that cannot be accepted. */
export function invalidField(path: string, message: string): ApiError {
  return invalidRequest([{ path, message }]);
}

/** What does not exist, and what is another organisation's: never told apart. */
export function notFound(what: string): ApiError {
  return new ApiError('not-found', `${what} could not be found`);
}

/** A value that must be unique stands already. */
export function duplicate(path: string, message: string): ApiError {
  return new ApiError('conflict', message, { issues: [{ path, message }] });
}

/** Somebody else changed it since it was read: `current` is what stands now. */
export function changedMeanwhile(what: string, current: unknown): ApiError {
  return new ApiError('conflict', `${what} was changed by somebody else meanwhile`, { current });
}
