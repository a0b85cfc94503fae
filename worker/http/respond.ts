/** Turns any thrown error into the error body of the console's calls. Errors other than ApiError are logged and reveal nothing internal. */
import { describeWorkspaceSize, MAX_WORKSPACE_BYTES } from '#contracts/console/artifacts';
import type { ErrorBody } from '#contracts/public/errors';
import type { Log } from '#runtime/log';
import { tooLargeWorkspaceOf } from '#worker/db/workspace-size';
import { ApiError, Refusal } from './api-error.ts';
import { asRefusal } from './as-refusal.ts';

export function errorResponse(error: unknown, requestId: string, log: Log): Response {
  const apiError = asApiError(error) ?? asRefusal(error, requestId, log);
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

/** Null: calls of the public API are refused with the same. */
function asApiError(error: unknown): ApiError | null {
  if (error instanceof ApiError && !(error instanceof Refusal)) return error;
  const tooLarge = tooLargeWorkspaceOf(error);
  if (tooLarge === null) return null;
  return new ApiError(
    'conflict',
    `The workspace would be ${describeWorkspaceSize(tooLarge)}. The limit is ${MAX_WORKSPACE_BYTES / 1_000_000} MB. Delete or shorten something first.`,
  );
}
