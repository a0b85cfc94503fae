// A file that is kept for months should not grow for ever: what Stripe has forgotten too is forgotten here at each start.
import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from './open-database.ts';

const dayMs = 86_400_000;

/** Idempotent answers after a day, events and their deliveries after thirty. @param nowMs epoch milliseconds */
export function forgetOld(database: DatabaseSync, nowMs: number): void {
  const eventsBefore = Math.floor((nowMs - 30 * dayMs) / 1000);
  inTransaction(database, () => {
    database.prepare('DELETE FROM idempotent_answers WHERE at < ?').run(nowMs - dayMs);
    database
      .prepare(
        "DELETE FROM deliveries WHERE event_id IN (SELECT id FROM objects WHERE kind = 'event' AND created < ?)",
      )
      .run(eventsBefore);
    database.prepare("DELETE FROM objects WHERE kind = 'event' AND created < ?").run(eventsBefore);
  });
}
