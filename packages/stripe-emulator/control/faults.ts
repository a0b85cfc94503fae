// Fault injection per account. In memory only: a restart clears all faults.

export interface WebhookFaults {
  /** Delays deliveries. */
  delayMs: number;
  /** Number of deliveries to drop. */
  dropNext: number;
  /** Number of deliveries to send twice. */
  duplicateNext: number;
  /** Number of deliveries to buffer for two seconds and send in reverse order. */
  reverseNext: number;
}

export interface Faults {
  /** Number of requests to reject with 429. */
  refuseNext: number;
  /** Requests per second above which requests get 429; null for no limit. */
  requestsPerSecond: number | null;
  /** Retry-After of a 429. */
  retryAfterS: number;
  /** Number of requests to fail with 500, without effect. */
  failNext: number;
  /** Number of requests to execute and then drop the connection before the response. */
  loseAnswers: number;
  /** Delays every response. */
  slowByMs: number;
  /** Drops connections without effect. */
  isDown: boolean;
  /** Limits request faults to those with this `METHOD /path` prefix. Does not apply to webhooks. */
  onlyRequests: string;
  webhooks: WebhookFaults;
}

/** A partial update of the faults. */
export type FaultChange = Partial<Omit<Faults, 'webhooks'>> & { webhooks?: Partial<WebhookFaults> };

const none: Faults = {
  refuseNext: 0,
  requestsPerSecond: null,
  retryAfterS: 1,
  failNext: 0,
  loseAnswers: 0,
  slowByMs: 0,
  isDown: false,
  onlyRequests: '',
  webhooks: { delayMs: 0, dropNext: 0, duplicateNext: 0, reverseNext: 0 },
};

/** The fault decision for one request. */
export type RequestFate = 'serve' | 'refuse' | 'fail' | 'lose-answer' | 'break';

/** The fault decision for one delivery. */
export interface DeliveryFate {
  isDropped: boolean;
  isDoubled: boolean;
  /** Epoch milliseconds of the first attempt. */
  dueAt: number;
}

const reversalMs = 2000;

export class FaultBook {
  readonly #faults = new Map<string, Faults>();
  /** Times of the last second's requests, per account. */
  readonly #recent = new Map<string, number[]>();
  /** Per account: when the first delivery to reverse was scheduled, and how many followed. */
  readonly #reversals = new Map<string, { startedAt: number; count: number }>();

  of(accountId: string): Faults {
    return this.#faults.get(accountId) ?? none;
  }

  isFaulty(accountId: string): boolean {
    return JSON.stringify(this.of(accountId)) !== JSON.stringify(none);
  }

  change(accountId: string, change: FaultChange): Faults {
    const current = this.of(accountId);
    const changed = { ...current, ...change, webhooks: { ...current.webhooks, ...change.webhooks } };
    this.#faults.set(accountId, changed);
    return changed;
  }

  clear(accountId: string): void {
    this.#faults.delete(accountId);
    this.#recent.delete(accountId);
    this.#reversals.delete(accountId);
  }

  /** Decides about an incoming request, and decrements counted faults. */
  fateOfRequest(accountId: string, request: string, nowMs: number): RequestFate {
    const faults = this.#faults.get(accountId);
    if (faults === undefined || !request.startsWith(faults.onlyRequests)) return 'serve';
    if (faults.isDown) return 'break';
    if (faults.refuseNext > 0) {
      this.change(accountId, { refuseNext: faults.refuseNext - 1 });
      return 'refuse';
    }
    if (faults.requestsPerSecond !== null && this.#isTooFast(accountId, faults.requestsPerSecond, nowMs)) {
      return 'refuse';
    }
    if (faults.failNext > 0) {
      this.change(accountId, { failNext: faults.failNext - 1 });
      return 'fail';
    }
    if (faults.loseAnswers > 0) {
      this.change(accountId, { loseAnswers: faults.loseAnswers - 1 });
      return 'lose-answer';
    }
    return 'serve';
  }

  fateOfDelivery(accountId: string, nowMs: number): DeliveryFate {
    const { dropNext, duplicateNext, reverseNext, delayMs } = this.of(accountId).webhooks;
    const dueAt = nowMs + delayMs;
    if (dropNext > 0) {
      this.change(accountId, { webhooks: { dropNext: dropNext - 1 } });
      return { isDropped: true, isDoubled: false, dueAt };
    }
    const isDoubled = duplicateNext > 0;
    if (isDoubled) this.change(accountId, { webhooks: { duplicateNext: duplicateNext - 1 } });
    if (reverseNext === 0) return { isDropped: false, isDoubled, dueAt };
    this.change(accountId, { webhooks: { reverseNext: reverseNext - 1 } });
    return { isDropped: false, isDoubled, dueAt: this.#reversedDueAt(accountId, reverseNext === 1, dueAt) };
  }

  #reversedDueAt(accountId: string, isLast: boolean, dueAt: number): number {
    const reversal = this.#reversals.get(accountId) ?? { startedAt: dueAt, count: 0 };
    if (isLast) this.#reversals.delete(accountId);
    else this.#reversals.set(accountId, { ...reversal, count: reversal.count + 1 });
    return reversal.startedAt + reversalMs - reversal.count * 150;
  }

  #isTooFast(accountId: string, perSecond: number, nowMs: number): boolean {
    const recent = (this.#recent.get(accountId) ?? []).filter((at) => at > nowMs - 1000);
    const isTooFast = recent.length >= perSecond;
    if (!isTooFast) recent.push(nowMs);
    this.#recent.set(accountId, recent);
    return isTooFast;
  }
}
