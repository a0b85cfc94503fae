// The faults that a person or a test has asked for, per account. They are in memory only: a restart cures everything.

export interface WebhookFaults {
  /** Deliveries begin this much later. */
  delayMs: number;
  /** So many deliveries are lost for good. */
  dropNext: number;
  /** So many deliveries are made twice. */
  duplicateNext: number;
  /** So many deliveries are kept for two seconds and then made in the opposite order. */
  reverseNext: number;
}

export interface Faults {
  /** So many requests are answered 429. */
  refuseNext: number;
  /** More requests than this in one second are answered 429; null: any number is welcome. */
  requestsPerSecond: number | null;
  /** What Retry-After of a 429 says. */
  retryAfterS: number;
  /** So many requests are answered 500, with nothing done. */
  failNext: number;
  /** So many requests are carried out, but the connection breaks before their answer. */
  loseAnswers: number;
  /** Every answer takes this much longer. */
  slowByMs: number;
  /** Connections break before anything is done. */
  isDown: boolean;
  /** The faults of requests concern only those whose `METHOD /path` begins with this; webhooks are not concerned. */
  onlyRequests: string;
  webhooks: WebhookFaults;
}

/** What may be changed at once; what is left out stays. */
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

/** What is to be done with one request. */
export type RequestFate = 'serve' | 'refuse' | 'fail' | 'lose-answer' | 'break';

/** What is to be done with one delivery. */
export interface DeliveryFate {
  isDropped: boolean;
  isDoubled: boolean;
  /** Epoch milliseconds of its first attempt. */
  dueAt: number;
}

const reversalMs = 2000;

export class FaultBook {
  readonly #faults = new Map<string, Faults>();
  /** When the requests of the last second came, per account. */
  readonly #recent = new Map<string, number[]>();
  /** When the first delivery that is to be reversed was planned, and how many followed, per account. */
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

  /** Decides about a request that just came, and uses one up of what is counted. */
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
