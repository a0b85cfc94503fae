/** A call of the public API, and the envelope of its refusals (DESIGN section 10). */
import type { PublicError } from '#contracts/access';
import type { ApiError } from '#worker/http/api-error';

export interface Call {
  readonly requestId: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** Without its question mark. */
  readonly query: string | undefined;
}

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
