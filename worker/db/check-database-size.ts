/** Warns in time that D1 is filling up: it is shared by all organisations and refuses writes when it is full. */
import type { Log } from '#runtime/log';

/** D1's limit for one database. */
const MAX_BYTES = 10_000_000_000;
const WARN_FROM = 0.7;

/** A work context satisfies this. */
interface SizeContext {
  readonly env: { readonly DB: D1Database };
  readonly log: Log;
}

/** A part of the schedule: once an hour. See docs/cost.md, "Cost". */
export async function checkDatabaseSize({ env, log }: SizeContext): Promise<void> {
  const { meta } = await env.DB.prepare('SELECT 1').run();
  const share = meta.size_after / MAX_BYTES;
  if (share < WARN_FROM) return;
  log.warn('the database is filling up', { bytes: meta.size_after, percent: Math.round(share * 100) });
}
