/** Middleware: creates the request's context and returns its id in `x-request-id`, and the time. */
import type { MiddlewareHandler } from 'hono';
import { TIME_HEADER } from '#contracts/public/time-header';
import { newId } from '#runtime/ids';
import { log } from '#runtime/log';
import { openDatabase } from '#worker/db/database';
import { settingsOf } from '#worker/env';
import type { AppEnv } from './mount.ts';
import { placeOf } from './place.ts';

export const requestContext: MiddlewareHandler<AppEnv> = async (c, next) => {
  const now = Date.now();
  const settings = settingsOf(c.env);
  const requestId = newId('req', now);
  c.set('ctx', {
    request: c.req.raw,
    env: c.env,
    settings,
    db: openDatabase(c.env.DB),
    now,
    clock: Date.now,
    requestId,
    newId: (prefix) => newId(prefix, now),
    place: placeOf(c.req.raw, settings.isDevelopment),
    log,
    waitUntil: (work) =>
      c.executionCtx.waitUntil(
        work.catch((error) => log.error('background work failed', { requestId, error })),
      ),
  });
  await next();
  c.header('x-request-id', requestId);
  c.header(TIME_HEADER, String(Date.now()));
};
