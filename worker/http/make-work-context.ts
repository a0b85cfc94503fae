/** Makes the context of work without a request: a queue message or a scheduled run. */
import { waitUntil } from 'cloudflare:workers';
import { newId } from '#runtime/ids';
import { log } from '#runtime/log';
import { openDatabase } from '#worker/db/database';
import { type Env, settingsOf } from '#worker/env';
import type { WorkContext } from './request-context.ts';

/** @param clock epoch milliseconds; read once for `now` */
export function workContext(env: Env, clock: () => number): WorkContext {
  const now = clock();
  return {
    env,
    settings: settingsOf(env),
    db: openDatabase(env.DB),
    now,
    clock,
    newId: (prefix) => newId(prefix, now),
    log,
    waitUntil: (work) =>
      waitUntil(work.catch((error: unknown) => log.error('background work failed', { error }))),
  };
}
