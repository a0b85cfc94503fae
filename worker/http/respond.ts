/** Turns whatever was thrown into the public error body. What is not an ApiError is logged and says nothing internal. */
import type { ErrorBody } from '#contracts/errors';
import type { Log } from '#worker/platform/log';
import { ApiError } from './api-error.ts';

export function errorResponse(error: unknown, requestId: string, log: Log): Response {
  const apiError = error instanceof ApiError ? error : unexpected(error, requestId, log);
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

function unexpected(error: unknown, requestId: string, log: Log): ApiError {
  log.error('request failed', { requestId, error });
  return new ApiError('server-error', 'Something went wrong on our side. Quote the request id if you contact support.');
}
