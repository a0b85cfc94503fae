/** The error that every failed call of the product API throws. All error messages in the console come from it. */
import { type ErrorType, HTTP_STATUS } from '#contracts/public/error-types';
import type { ErrorBody, Issue } from '#contracts/public/errors';

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly errorType: ErrorType;
  /** The invalid fields. */
  readonly issues: readonly Issue[];
  readonly requestId: string | undefined;
  /** On an edit conflict: the current state on the server. */
  readonly current: unknown;
  /** Beside `current`: the id of the member who changed it. */
  readonly changedBy: string | undefined;

  constructor(body: ErrorBody) {
    super(body.message);
    this.errorType = body.errorType;
    this.issues = body.issues ?? [];
    this.requestId = body.requestId;
    this.current = body.current;
    this.changedBy = body.changedBy;
  }
}

const isErrorType = (value: unknown): value is ErrorType =>
  typeof value === 'string' && Object.hasOwn(HTTP_STATUS, value);

/**
 * Maps a response to an error, or to null if it is a success. A body with an error type and a message is that error,
 * whatever the status, and keeps its message with a type that this release does not know. A body that is not JSON is invalid-request with status 404, otherwise server-error. Any other
 * response with a failure status is server-error.
 */
export function errorOf(status: number, text: string, requestId?: string): ApiError | null {
  const isOk = status >= 200 && status < 300;
  if (text === '' && isOk) return null;
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return status === HTTP_STATUS['not-found']
      ? new ApiError({
          errorType: 'invalid-request',
          message: 'The requested resource could not be found',
          requestId,
        })
      : new ApiError({ errorType: 'server-error', message: '', requestId });
  }
  const error = errorBodyOf(body, isOk);
  if (error !== null) return new ApiError({ ...error, requestId: error.requestId ?? requestId });
  return isOk ? null : new ApiError({ errorType: 'server-error', message: '', requestId });
}

/**
 * Reads `errorBodySchema` without zod: every page needs it, and few need zod. Fields of another shape count as absent. Null without a
 * message, and for a success without an error type.
 */
function errorBodyOf(body: unknown, isOk: boolean): ErrorBody | null {
  const { errorType, message, issues, requestId, current, changedBy } = (body ?? {}) as Record<
    string,
    unknown
  >;
  if (typeof message !== 'string' || (isOk && typeof errorType !== 'string')) return null;
  return {
    errorType: isErrorType(errorType) ? errorType : 'server-error',
    message,
    issues: Array.isArray(issues) ? issues.filter(isIssue) : undefined,
    requestId: typeof requestId === 'string' ? requestId : undefined,
    current,
    changedBy: typeof changedBy === 'string' ? changedBy : undefined,
  };
}

const isIssue = (value: unknown): value is Issue => {
  const { path, message } = (value ?? {}) as Record<string, unknown>;
  return typeof path === 'string' && typeof message === 'string';
};

/** Whether the requested item does not exist or was deleted. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.errorType === 'not-found';
}

/** For a deletion: somebody else was first. */
export function ignoreNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}

const MAX_RETRIES = 3;

/** Whether a failed read is tried again. @param failureCount of the attempts before the failed one */
export function shouldRetry(failureCount: number, error: unknown): boolean {
  return !isNotFound(error) && failureCount < MAX_RETRIES;
}

/** The error of a call without a response. */
export function networkError(): ApiError {
  return new ApiError({
    errorType: 'unavailable',
    message: 'The server could not be reached. Check your connection and try again.',
  });
}
