// Stores deliveries of events to webhook endpoints: their status and the result of every attempt.
import type { DatabaseSync } from 'node:sqlite';

export interface DeliveryAttempt {
  /** Epoch milliseconds. */
  at: number;
  /** The endpoint's response status; null without a response. */
  status: number | null;
  /** Why there was no response. */
  error?: string;
}

/** `dropped`: by fault injection; `failed`: after the last attempt. */
export type DeliveryStatus = 'pending' | 'delivered' | 'failed' | 'dropped';

export interface Delivery {
  id: string;
  accountId: string;
  livemode: boolean;
  eventId: string;
  eventType: string;
  endpointId: string;
  status: DeliveryStatus;
  attempts: DeliveryAttempt[];
  /** Epoch milliseconds of the next attempt; null if none is scheduled. */
  dueAt: number | null;
}

export interface DeliveryQuery {
  accountId: string;
  livemode?: boolean;
  status?: DeliveryStatus;
  eventId?: string;
}

export class DeliveryStore {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  insert(delivery: Delivery): void {
    this.#database
      .prepare(
        `INSERT INTO deliveries
           (id, account_id, livemode, event_id, event_type, endpoint_id, status, attempts, due_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        delivery.id,
        delivery.accountId,
        Number(delivery.livemode),
        delivery.eventId,
        delivery.eventType,
        delivery.endpointId,
        delivery.status,
        JSON.stringify(delivery.attempts),
        delivery.dueAt,
      );
  }

  update(delivery: Delivery): void {
    this.#database
      .prepare('UPDATE deliveries SET status = ?, attempts = ?, due_at = ? WHERE id = ?')
      .run(delivery.status, JSON.stringify(delivery.attempts), delivery.dueAt, delivery.id);
  }

  find(id: string): Delivery | undefined {
    const row = this.#database.prepare('SELECT * FROM deliveries WHERE id = ?').get(id);
    return row === undefined ? undefined : toDelivery(row);
  }

  /** In event order. */
  list({ accountId, livemode, status, eventId }: DeliveryQuery, limit = 1000): Delivery[] {
    const conditions = ['account_id = ?'];
    const values: (string | number)[] = [accountId];
    if (livemode !== undefined) {
      conditions.push('livemode = ?');
      values.push(Number(livemode));
    }
    if (status !== undefined) {
      conditions.push('status = ?');
      values.push(status);
    }
    if (eventId !== undefined) {
      conditions.push('event_id = ?');
      values.push(eventId);
    }
    return this.#database
      .prepare(`SELECT * FROM deliveries WHERE ${conditions.join(' AND ')} ORDER BY seq LIMIT ?`)
      .all(...values, limit)
      .map(toDelivery);
  }

  due(nowMs: number, limit: number): Delivery[] {
    return this.#database
      .prepare('SELECT * FROM deliveries WHERE due_at <= ? ORDER BY due_at, seq LIMIT ?')
      .all(nowMs, limit)
      .map(toDelivery);
  }

  /** Epoch milliseconds of the earliest scheduled attempt; null if there is none. */
  nextDueAt(): number | null {
    const row = this.#database.prepare('SELECT min(due_at) AS at FROM deliveries').get();
    return (row as { at: number | null }).at;
  }

  pendingOf(eventId: string): number {
    const row = this.#database
      .prepare("SELECT count(*) AS n FROM deliveries WHERE event_id = ? AND status = 'pending'")
      .get(eventId);
    return (row as { n: number }).n;
  }
}

function toDelivery(row: unknown): Delivery {
  const { id, account_id, livemode, event_id, event_type, endpoint_id, status, attempts, due_at } = row as {
    [column: string]: string | number | null;
  };
  return {
    id: String(id),
    accountId: String(account_id),
    livemode: livemode === 1,
    eventId: String(event_id),
    eventType: String(event_type),
    endpointId: String(endpoint_id),
    status: status as DeliveryStatus,
    attempts: JSON.parse(String(attempts)) as DeliveryAttempt[],
    dueAt: due_at as number | null,
  };
}
