/**
 * Limits the calls to a merchant's Stripe account, so that a bulk change there does not spend the rate limit that the
 * merchant's own requests share. All Workers reserve their calls in the integration's row, before the calls and in
 * groups: `calls_until` moves ahead with every call, and may be ahead of the clock by the longest wait.
 */
import { eq, sql } from 'drizzle-orm';
import { SharedRounds } from '#engine/shared-rounds';
import type { Db } from '#worker/db/database';
import { stripeIntegration } from '#worker/db/schema/stripe';
import type { StripeIntegrationRow } from './integration-store.ts';

/** 40 and 12.5 calls a second: less than half of the 100 and 25 that Stripe allows in live and in test mode. */
const INTERVAL_MS = { live: 25, test: 80 } as const;
/** After a pause, this much time's calls may be made at once: 40, and the 25 that Stripe allows a second in test mode. */
const BURST_MS = { live: 1_000, test: 2_000 } as const;
/** Longer than any pause that Stripe asks for: the clock that wrote it was wrong. */
const MAX_AHEAD_MS = 20 * 60_000;
/** A call that would wait longer is refused; its work is postponed. */
const MAX_WAIT_MS = 2_000;

/** The account's calls are reserved for longer than a call may wait. */
export class CallBudgetSpent extends Error {
  override readonly name = 'CallBudgetSpent';
  readonly retryAfterMs = MAX_WAIT_MS;
}

export class CallBudget {
  readonly #db: Db;
  readonly #integrationId: string;
  readonly #intervalMs: number;
  readonly #burstMs: number;
  /** Calls that are made during a reservation share the next one. */
  readonly #reservations = new SharedRounds<null, number | null>((calls) => this.#reserve(calls.length));

  constructor(db: Db, { id, livemode }: Pick<StripeIntegrationRow, 'id' | 'livemode'>) {
    this.#db = db;
    this.#integrationId = id;
    const mode = livemode ? 'live' : 'test';
    this.#intervalMs = INTERVAL_MS[mode];
    this.#burstMs = BURST_MS[mode];
  }

  /** Waits until the call may be made. @throws {CallBudgetSpent} */
  async take(): Promise<void> {
    const waitMs = await this.#reservations.run(null);
    if (waitMs === null) throw new CallBudgetSpent();
    if (waitMs > 0) await scheduler.wait(waitMs);
  }

  /** @returns the wait of each call; null: it is refused */
  async #reserve(count: number): Promise<(number | null)[]> {
    // Calls wait in real time, so they are counted in real time.
    const now = Date.now();
    const interval = this.#intervalMs;
    const { callsUntil } = stripeIntegration;
    const earliest = now - this.#burstMs;
    const from = sql<number>`CASE WHEN ${callsUntil} > ${now + MAX_AHEAD_MS} THEN ${earliest} ELSE max(${callsUntil}, ${earliest}) END`;
    const granted = sql`max(0, min(${count}, CAST((${now + MAX_WAIT_MS} - ${from}) / ${interval} AS INTEGER)))`;
    const isIt = eq(stripeIntegration.id, this.#integrationId);
    const [[before], [after]] = await this.#db.batch([
      this.#db.select({ from }).from(stripeIntegration).where(isIt),
      this.#db
        .update(stripeIntegration)
        .set({ callsUntil: sql`${from} + ${granted} * ${interval}` })
        .where(isIt)
        .returning({ until: stripeIntegration.callsUntil }),
    ]);
    if (before === undefined || after === undefined) return Array.from({ length: count }, () => 0);
    const grantedCount = Math.floor((after.until - before.from) / interval);
    return Array.from({ length: count }, (_, index) =>
      index < grantedCount ? Math.max(before.from + index * interval - now, 0) : null,
    );
  }
}
