/**
 * Detects when a month's API calls reach a usage level (80% and 100% of the allowance, and the shares of public keys) and
 * keeps an outbox of reached levels until they are acknowledged. Month totals are cached, so an append costs no query until a level is reached.
 */
import { pauseAfter } from '#engine/back-off';
import { BoundedCache } from '#engine/cache/bounded-cache';
import type { UsageCount } from '#engine/events/tally-lines';
import { monthOf, nextMonthOf } from '#engine/usage/calendar';
import { REPORTED_LEVELS, type ShareLevel, type UsageLevel } from '#engine/usage/usage-level';

export interface PassedLevel {
  /** Start of the month, UTC. */
  readonly monthAt: number;
  readonly level: UsageLevel | ShareLevel;
  /** API calls of the month when the level was reached. */
  readonly total: number;
}

const PAUSES_MS = { first: 60_000, longest: 3_600_000 };
/** Late events are hours late, not months. */
const MAX_MONTHS = 12;

export class UsageLevels {
  readonly #sql: SqlStorage;
  readonly #totals = new BoundedCache<number, number>(MAX_MONTHS / 2);
  #hasNewLevels = false;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Call after these counts are in the usage table, inside the same transaction. */
  count(counts: readonly UsageCount[]): void {
    const added = new Map<number, number>();
    for (const { dayAt, total } of counts) {
      const monthAt = monthOf(dayAt);
      added.set(monthAt, (added.get(monthAt) ?? 0) + total);
    }
    for (const [monthAt, total] of added) this.#raise(monthAt, total);
  }

  /** Whether `count` more calls may reach a level. @param times of the calls */
  isNear(times: readonly number[], count: number): boolean {
    return [...new Set(times.map(monthOf))].some((monthAt) => {
      // Not cached: `count` then looks for levels that were passed before.
      const before = this.#totals.get(monthAt) ?? this.totalOf(monthAt);
      return REPORTED_LEVELS.some(({ calls }) => before < calls && before + count >= calls);
    });
  }

  /** Call after a rollback. */
  invalidate(): void {
    this.#totals.clear();
    this.#hasNewLevels = false;
  }

  /** Whether a level was reached since the last `takeDue`. */
  get hasNewLevels(): boolean {
    return this.#hasNewLevels;
  }

  /** API calls of a month. */
  totalOf(monthAt: number): number {
    return this.#sql
      .exec<{ total: number }>(
        'SELECT ifnull(sum(total), 0) AS total FROM usage WHERE day_at >= ? AND day_at < ?',
        monthAt,
        nextMonthOf(monthAt),
      )
      .one().total;
  }

  /** All API calls ever counted; only increases. */
  totalEver(): number {
    return this.#sql.exec<{ total: number }>('SELECT ifnull(sum(total), 0) AS total FROM usage').one().total;
  }

  /**
   * Levels to notify now. Each is due again after a growing pause until it is acknowledged.
   * @param now epoch milliseconds
   */
  takeDue(now: number): PassedLevel[] {
    this.#hasNewLevels = false;
    const due = this.#sql
      .exec<{ month_at: number; level: UsageLevel | ShareLevel; total: number; tries: number }>(
        'SELECT month_at, level, total, tries FROM passed_level WHERE due_at <= ? ORDER BY month_at, total',
        now,
      )
      .toArray();
    return due.map(({ month_at: monthAt, level, total, tries }) => {
      this.#sql.exec(
        'UPDATE passed_level SET tries = tries + 1, due_at = ? WHERE month_at = ? AND level = ?',
        now + pauseAfter(tries + 1, PAUSES_MS),
        monthAt,
        level,
      );
      return { monthAt, level, total };
    });
  }

  acknowledge(monthAt: number, level: UsageLevel | ShareLevel): void {
    this.#sql.exec('UPDATE passed_level SET due_at = NULL WHERE month_at = ? AND level = ?', monthAt, level);
  }

  /** When the next notification is due; null if everything is acknowledged. */
  nextDueAt(): number | null {
    return this.#sql.exec<{ at: number | null }>('SELECT min(due_at) AS at FROM passed_level').one().at;
  }

  #raise(monthAt: number, added: number): void {
    const before = this.#totals.get(monthAt);
    // Without a cached total, read the table: it includes `added` already.
    const total = before === undefined ? this.totalOf(monthAt) : before + added;
    this.#totals.set(monthAt, total);
    for (const { level, calls } of REPORTED_LEVELS) {
      if (total < calls || (before !== undefined && before >= calls)) continue;
      const { rowsWritten } = this.#sql.exec(
        'INSERT OR IGNORE INTO passed_level (month_at, level, total, due_at, tries) VALUES (?, ?, ?, 0, 0)',
        monthAt,
        level,
        total,
      );
      if (rowsWritten > 0) this.#hasNewLevels = true;
    }
  }
}
