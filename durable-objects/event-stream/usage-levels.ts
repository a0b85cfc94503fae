/**
 * Watches the API calls of a month pass the levels that somebody is to be told of, and keeps what was passed until that
 * is acknowledged. The month's total is kept in memory, so an append costs nothing more until a level is passed.
 */
import type { UsageCount } from '#contracts/event-batch';
import { monthOf, nextMonthOf } from '#engine/usage/calendar';
import { USAGE_LEVELS, type UsageLevel } from '#engine/usage/usage-standing';

export interface PassedLevel {
  /** Start of the month, UTC. */
  readonly monthAt: number;
  readonly level: UsageLevel;
  /** API calls of the month when it was passed. */
  readonly total: number;
}

const FIRST_PAUSE_MS = 60_000;
const MAX_PAUSE_MS = 3_600_000;
/** Events come late by hours, not by months. */
const MAX_MONTHS = 12;

export class UsageLevels {
  readonly #sql: SqlStorage;
  readonly #totals = new Map<number, number>();
  #hasNews = false;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** After these were counted in the table of usage; inside the same transaction. */
  add(counts: readonly UsageCount[]): void {
    const added = new Map<number, number>();
    for (const { dayAt, total } of counts) {
      const monthAt = monthOf(dayAt);
      added.set(monthAt, (added.get(monthAt) ?? 0) + total);
    }
    for (const [monthAt, total] of added) this.#raise(monthAt, total);
  }

  /** After a roll-back: what was added meanwhile does not stand. */
  forget(): void {
    this.#totals.clear();
    this.#hasNews = false;
  }

  /** Whether a level was passed since the last look at what is due. */
  get hasNews(): boolean {
    return this.#hasNews;
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

  /** API calls ever counted: it only rises. */
  totalEver(): number {
    return this.#sql.exec<{ total: number }>('SELECT ifnull(sum(total), 0) AS total FROM usage').one().total;
  }

  /**
   * What is to be told now. It is due again after a pause that grows, until it is acknowledged.
   * @param now epoch milliseconds
   */
  takeDue(now: number): PassedLevel[] {
    this.#hasNews = false;
    const due = this.#sql
      .exec<{ month_at: number; level: UsageLevel; total: number; tries: number }>(
        'SELECT month_at, level, total, tries FROM passed_level WHERE due_at <= ? ORDER BY month_at, total',
        now,
      )
      .toArray();
    return due.map(({ month_at: monthAt, level, total, tries }) => {
      this.#sql.exec(
        'UPDATE passed_level SET tries = tries + 1, due_at = ? WHERE month_at = ? AND level = ?',
        now + Math.min(FIRST_PAUSE_MS * 2 ** tries, MAX_PAUSE_MS),
        monthAt,
        level,
      );
      return { monthAt, level, total };
    });
  }

  acknowledge(monthAt: number, level: UsageLevel): void {
    this.#sql.exec('UPDATE passed_level SET due_at = NULL WHERE month_at = ? AND level = ?', monthAt, level);
  }

  /** When something is to be told next; null: everything is acknowledged. */
  nextDueAt(): number | null {
    return this.#sql.exec<{ at: number | null }>('SELECT min(due_at) AS at FROM passed_level').one().at;
  }

  #raise(monthAt: number, added: number): void {
    const before = this.#totals.get(monthAt);
    // The table has what was added already.
    const total = before === undefined ? this.totalOf(monthAt) : before + added;
    if (this.#totals.size >= MAX_MONTHS) this.#totals.clear();
    this.#totals.set(monthAt, total);
    for (const { level, calls } of USAGE_LEVELS) {
      if (total < calls || (before !== undefined && before >= calls)) continue;
      const { rowsWritten } = this.#sql.exec(
        'INSERT OR IGNORE INTO passed_level (month_at, level, total, due_at, tries) VALUES (?, ?, ?, 0, 0)',
        monthAt,
        level,
        total,
      );
      if (rowsWritten > 0) this.#hasNews = true;
    }
  }
}
