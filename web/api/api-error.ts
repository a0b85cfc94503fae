/**
 * What a refused or failed call of the product API is turned into (specification, section 8). Everything that shows
 * errors reads this one class.
 */
import { type ErrorBody, type ErrorType, errorBodySchema, HTTP_STATUS, type Issue } from '#contracts/errors';

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly errorType: ErrorType;
  /** The fields that were refused. */
  readonly issues: readonly Issue[];
  readonly requestId: string | undefined;
  /** With a conflict of two edits: what stands now. */
  readonly current: unknown;

  constructor(body: ErrorBody) {
    super(body.message);
    this.errorType = body.errorType;
    this.issues = body.issues ?? [];
    this.requestId = body.requestId;
    this.current = body.current;
  }
}

const isErrorType = (value: unknown): value is ErrorType =>
  typeof value === 'string' && Object.hasOwn(HTTP_STATUS, value);

/**
 * The error that an answer with this status and text means, or null for a success.
 * Not JSON: invalid-request with 404, else server-error. A body with an error type and a message is raised as these,
 * whatever the status; any other answer that is not OK is a server-error.
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
  const parsed = errorBodySchema.safeParse(body);
  if (parsed.success) return new ApiError({ ...parsed.data, requestId: parsed.data.requestId ?? requestId });
  const { errorType, message } = (body ?? {}) as { errorType?: unknown; message?: unknown };
  if (isErrorType(errorType) && typeof message === 'string') {
    return new ApiError({ errorType, message, requestId });
  }
  return isOk ? null : new ApiError({ errorType: 'server-error', message: '', requestId });
}

/** The thing asked for does not exist, or no longer. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.errorType === 'not-found';
}

/** A call that never reached the server, or whose answer never came back. */
export function networkError(): ApiError {
  return new ApiError({
    errorType: 'unavailable',
    message: 'The server could not be reached. Check your connection and try again.',
  });
}
