/**
 * Decides when a run begins, so that one organisation's workflows do not delay those of others: all dynamic workers of an
 * isolate share its thread, and a run cannot be interrupted. An organisation whose runs are short and rare never waits. See
 * worker/README.md, "Workflows".
 */
import { SHORT_RUN_MS } from '#contracts/internal/workflow-run';
import { BoundedCache } from '#engine/cache/bounded-cache';

/** Share of the thread that an organisation may use without waiting. */
const SHARE = 0.25;
/** Milliseconds that an organisation may save up or owe. */
const MAX_BALANCE_MS = 250;
/** Runs of one organisation that begin without the lane, at any time. */
const MAX_SHORT_RUNS = 2;
/** Runs of one organisation that wait; more are refused at once. */
const MAX_WAITING = 20;
/** The lane is free again after this long, whatever became of the run in it. */
const LEASE_MS = 2_000;
/** How long a run in the lane waits at most for calls under way, since each of their steps would wait for the run. */
const YIELD_MS = 50;
/** Multiple of a run's expected time for which it waits: a short run should not wait longer for others than they would for it. */
const YIELD_FACTOR = 5;
/** Weight of the last run in what the next one is expected to take. */
const RECENCY = 0.2;
const REMEMBERED = 10_000;

export interface RunOrder {
  readonly orgId: string;
  /** Sandbox whose earlier runs predict this run's duration. Null: unknown. */
  readonly sandboxId: string | null;
  /** Milliseconds. */
  readonly patienceMs: number;
}

/** A run that may begin. */
export interface Turn {
  /** @param costMs what the run took of the thread */
  end(costMs: number): void;
}

interface Account {
  /** Below zero: the organisation has used more than its share. */
  balanceMs: number;
  settledAt: number;
  shortRuns: number;
  waiting: number;
}

interface Waiting {
  readonly account: Account;
  readonly since: number;
  /** How long it waits for calls under way. */
  readonly yieldMs: number;
  begin(): void;
}

export class RunQueue {
  readonly #now: () => number;
  readonly #accounts = new BoundedCache<string, Account>(REMEMBERED);
  readonly #expectedMs = new BoundedCache<string, number>(REMEMBERED);
  readonly #waiting = new Set<Waiting>();
  /** When the run in the lane began; null if the lane is free. One run at a time, of all organisations together. */
  #laneSince: number | null = null;
  /** Calls that have arrived, without those that are in the lane or wait for it. */
  #underWay = 0;

  /** @param now epoch milliseconds */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** A call has arrived: the lane waits for it. @returns to be called when its order has been entered, or when it has none */
  arrive(): () => void {
    this.#underWay += 1;
    return () => {
      this.#underWay -= 1;
      this.#beginNext();
    };
  }

  /** @returns null if the run does not begin: its organisation has too many that wait, or it waited too long */
  async enter(order: RunOrder): Promise<Turn | null> {
    const account = this.#accountOf(order.orgId);
    if (this.#isShort(account, order)) {
      account.shortRuns += 1;
      const leave = this.arrive();
      return this.#turn(account, order, () => {
        account.shortRuns -= 1;
        leave();
      });
    }
    if (account.waiting >= MAX_WAITING) return null;
    const since = await this.#enterLane(account, order);
    return since === null ? null : this.#turn(account, order, () => this.#leaveLane(since));
  }

  /** Infinity: unknown. */
  #expected({ sandboxId }: RunOrder): number {
    return (sandboxId === null ? undefined : this.#expectedMs.get(sandboxId)) ?? Number.POSITIVE_INFINITY;
  }

  #isShort(account: Account, order: RunOrder): boolean {
    if (this.#expected(order) > SHORT_RUN_MS) return false;
    return account.shortRuns < MAX_SHORT_RUNS && this.#settle(account) > 0;
  }

  #turn(account: Account, { sandboxId }: RunOrder, leave: () => void): Turn {
    let hasEnded = false;
    return {
      end: (costMs) => {
        if (hasEnded) return;
        hasEnded = true;
        account.balanceMs = Math.max(this.#settle(account) - costMs, -MAX_BALANCE_MS);
        if (sandboxId !== null) {
          const before = this.#expectedMs.get(sandboxId) ?? costMs;
          this.#expectedMs.set(sandboxId, before + (costMs - before) * RECENCY);
        }
        leave();
      },
    };
  }

  /** @returns when the run began; null if it waited too long */
  #enterLane(account: Account, order: RunOrder): Promise<number | null> {
    return new Promise((resolve) => {
      const leave = (since: number | null) => {
        clearTimeout(patience);
        clearTimeout(yielding);
        this.#waiting.delete(waiting);
        account.waiting -= 1;
        resolve(since);
      };
      const yieldMs = Math.min(YIELD_MS, this.#expected(order) * YIELD_FACTOR);
      const patience = setTimeout(() => leave(null), order.patienceMs);
      // The calls under way may take longer than that.
      const yielding = setTimeout(() => this.#beginNext(), yieldMs + 1);
      const waiting = {
        account,
        since: this.#now(),
        yieldMs,
        begin: () => {
          this.#laneSince = this.#now();
          leave(this.#laneSince);
        },
      };
      account.waiting += 1;
      this.#waiting.add(waiting);
      this.#beginNext();
    });
  }

  #leaveLane(since: number): void {
    if (this.#laneSince === since) this.#laneSince = null;
    this.#beginNext();
  }

  /** The lane is for the organisation that has used least; among equals, for who came first. */
  #beginNext(): void {
    const now = this.#now();
    if (this.#laneSince !== null && now - this.#laneSince < LEASE_MS) return;
    const [first] = this.#waiting;
    if (first === undefined) return;
    const mayAllBegin = this.#underWay === 0 || now - first.since >= YIELD_MS;
    let next: Waiting | null = null;
    for (const each of this.#waiting) {
      if (!mayAllBegin && now - each.since < each.yieldMs) continue;
      if (next === null || this.#settle(each.account) > this.#settle(next.account)) next = each;
    }
    next?.begin();
  }

  /** @returns the balance with what time has added */
  #settle(account: Account): number {
    const now = this.#now();
    const earned = (now - account.settledAt) * SHARE;
    account.balanceMs = Math.min(account.balanceMs + earned, MAX_BALANCE_MS);
    account.settledAt = now;
    return account.balanceMs;
  }

  #accountOf(orgId: string): Account {
    const known = this.#accounts.get(orgId);
    if (known !== undefined) return known;
    const account = { balanceMs: MAX_BALANCE_MS, settledAt: this.#now(), shortRuns: 0, waiting: 0 };
    this.#accounts.set(orgId, account);
    return account;
  }
}
