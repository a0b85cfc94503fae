/** The context of work that no request asks for: a message of a queue, or the clock. */
import { waitUntil } from 'cloudflare:workers';
import { openDatabase } from '#worker/db/database';
import { type Env, settingsOf } from '#worker/env';
import { newId } from '#worker/platform/ids';
import { log } from '#worker/platform/log';
import type { WorkContext } from './request-context.ts';

/** @param now epoch milliseconds */
export function workContext(env: Env, now: number): WorkContext {
  return {
    env,
    settings: settingsOf(env),
    db: openDatabase(env.DB),
    now,
    newId: (prefix) => newId(prefix, now),
    log,
    waitUntil: (work) =>
      waitUntil(work.catch((error: unknown) => log.error('background work failed', { error }))),
  };
}
