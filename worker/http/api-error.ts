/**
 * The error that handlers throw to refuse a call. http/respond.ts turns it into the public body. Messages may contain what callers
 * sent, so they are escaped here.
 */
import { escapeText } from '#contracts/public/characters';
import { type ErrorType, HTTP_STATUS, type Issue } from '#contracts/public/errors';

export interface ApiErrorDetail {
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

/** The body ended too early: its caller hung up. Nobody's error, so it is not recorded, and usually nobody reads the answer. */
export class CallerGone extends ApiError {
  constructor() {
    super('invalid-request', 'The connection closed before the body was complete');
  }
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

/** Somebody else changed it since it was read. @param current its state now @param changedBy the user's id, if known */
export function changedMeanwhile(what: string, current: unknown, changedBy?: string): ApiError {
  return new ApiError('conflict', `${what} was changed by someone else in the meantime`, {
    current,
    changedBy,
  });
}

/** Too many attempts. @param waitS seconds until the next one may be made @param issues the field, where a field causes it */
export function rateLimited(message: string, waitS: number, issues?: readonly Issue[]): ApiError {
  return new ApiError('rate-limited', message, {
    ...(issues && { issues }),
    headers: { 'retry-after': String(waitS) },
  });
}
