// Deletes expired rows at each start, with Stripe's retention periods, so that a database file does not grow forever.
import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from './open-database.ts';

const dayMs = 86_400_000;

/** Idempotent responses expire after one day, events and their deliveries after thirty. @param nowMs epoch milliseconds */
export function deleteExpired(database: DatabaseSync, nowMs: number): void {
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
