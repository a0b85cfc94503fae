/** Turns any thrown error into the public error body. Errors other than ApiError are logged and reveal nothing internal. */
import { describeWorkspaceSize, MAX_WORKSPACE_BYTES } from '#contracts/console/artifacts';
import type { ErrorBody } from '#contracts/public/errors';
import type { Log } from '#runtime/log';
import { isDatabaseUnavailable } from '#worker/db/database';
import { tooLargeWorkspaceOf } from '#worker/db/workspace-size';
import { SettingError } from '#worker/settings';
import { ApiError, CallerGone } from './api-error.ts';

/** An outage of D1 lasts seconds to minutes. */
const RETRY_AFTER_S = 10;

export function errorResponse(error: unknown, requestId: string, log: Log): Response {
  const apiError = asApiError(error, requestId, log);
  const { issues, current, changedBy, headers } = apiError.detail;
  const body: ErrorBody = {
    errorType: apiError.errorType,
    message: apiError.message,
    ...(issues === undefined ? {} : { issues: [...issues] }),
    ...(current === undefined ? {} : { current }),
    ...(changedBy === undefined ? {} : { changedBy }),
    requestId,
  };
  return Response.json(body, { status: apiError.status, headers: { ...headers, 'x-request-id': requestId } });
}

/** The public form of an error. A missing setting is named, so that the operator sees which. */
export function asApiError(error: unknown, requestId: string, log: Log): ApiError {
  if (error instanceof CallerGone) log.info('a caller hung up', { requestId });
  if (error instanceof ApiError) return error;
  const tooLarge = tooLargeWorkspaceOf(error);
  if (tooLarge !== null) {
    return new ApiError(
      'conflict',
      `The workspace would be ${describeWorkspaceSize(tooLarge)}. The limit is ${MAX_WORKSPACE_BYTES / 1_000_000} MB. Delete or shorten something first.`,
    );
  }
  log.error('request failed', { requestId, error });
  if (error instanceof SettingError)
    return new ApiError('server-error', `This service is not configured: ${error.message}`);
  if (isDatabaseUnavailable(error)) {
    return new ApiError(
      'unavailable',
      'The database is temporarily unavailable. Wait a few seconds and try again. If you were changing something, check first whether it was saved.',
      { headers: { 'retry-after': String(RETRY_AFTER_S) } },
    );
  }
  return new ApiError(
    'server-error',
    'Something went wrong on our side. Try again, and contact support with the request ID if it keeps failing.',
  );
}
