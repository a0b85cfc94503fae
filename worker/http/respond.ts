/** Turns whatever was thrown into the public error body. What is not an ApiError is logged and says nothing internal. */
import type { ErrorBody } from '#contracts/errors';
import { SettingError } from '#worker/env';
import type { Log } from '#worker/platform/log';
import { ApiError } from './api-error.ts';

export function errorResponse(error: unknown, requestId: string, log: Log): Response {
  const apiError = asApiError(error, requestId, log);
  const { issues, current, headers } = apiError.detail;
  const body: ErrorBody = {
    errorType: apiError.errorType,
    message: apiError.message,
    ...(issues === undefined ? {} : { issues: [...issues] }),
    ...(current === undefined ? {} : { current }),
    requestId,
  };
  return Response.json(body, { status: apiError.status, headers: { ...headers, 'x-request-id': requestId } });
}

/** What may be said of an error outside. A missing setting is named: whoever deploys must see which. */
export function asApiError(error: unknown, requestId: string, log: Log): ApiError {
  if (error instanceof ApiError) return error;
  log.error('request failed', { requestId, error });
  if (error instanceof SettingError)
    return new ApiError('server-error', `This service is not configured: ${error.message}`);
  return new ApiError(
    'server-error',
    'Something went wrong on our side. Quote the request id if you contact support.',
  );
}
