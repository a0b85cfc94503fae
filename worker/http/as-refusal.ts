/** What a call of the public API is refused with, whatever was thrown. Errors without a code are failures of ours, and reveal nothing. */
import type { Log } from '#runtime/log';
import { isDatabaseUnavailable } from '#worker/db/database';
import { SettingError } from '#worker/settings';
import { CallerGone, Refusal, retryAfter } from './api-error.ts';

/** An outage of D1 lasts seconds to minutes. */
const RETRY_AFTER_S = 10;

/** A missing setting is named, so that the operator sees which. */
export function asRefusal(error: unknown, requestId: string, log: Log): Refusal {
  if (error instanceof CallerGone) log.info('a caller hung up', { requestId });
  if (error instanceof Refusal) return error;
  log.error('request failed', { requestId, error });
  if (error instanceof SettingError)
    return new Refusal('server-error', 'server-error', `This service is not configured: ${error.message}`);
  if (isDatabaseUnavailable(error)) {
    return new Refusal(
      'unavailable',
      'database-unavailable',
      'The database is temporarily unavailable. Wait a few seconds and try again. If you were changing something, check first whether it was saved.',
      retryAfter(RETRY_AFTER_S),
    );
  }
  return new Refusal(
    'server-error',
    'server-error',
    'Something went wrong on our side. Try again, and contact support with the request ID if it keeps failing.',
  );
}
