// Log of API requests per account, so that tests can count requests by route. In memory only.

export interface LoggedRequest {
  /** Epoch milliseconds. */
  at: number;
  method: string;
  /** Path and query, as sent. */
  url: string;
  /** 0 if the connection was dropped by fault injection. */
  status: number;
  requestId: string;
}

/** Logged requests per account. Counts include older ones. */
const keptRequests = 20_000;

export class RequestLog {
  readonly #requests = new Map<string, LoggedRequest[]>();
  readonly #counts = new Map<string, Map<string, number>>();

  /** @param route method and path pattern, such as `GET /v1/customers/:id` */
  add(accountId: string, route: string, request: LoggedRequest): void {
    const counts = this.#counts.get(accountId) ?? new Map<string, number>();
    counts.set(route, (counts.get(route) ?? 0) + 1);
    this.#counts.set(accountId, counts);
    const requests = this.#requests.get(accountId) ?? [];
    requests.push(request);
    if (requests.length > keptRequests) requests.splice(0, keptRequests / 2);
    this.#requests.set(accountId, requests);
  }

  /** By route. */
  counts(accountId: string): Record<string, number> {
    return Object.fromEntries(this.#counts.get(accountId) ?? []);
  }

  /** Oldest first. */
  list(accountId: string): readonly LoggedRequest[] {
    return this.#requests.get(accountId) ?? [];
  }

  clear(accountId: string): void {
    this.#requests.delete(accountId);
    this.#counts.delete(accountId);
  }
}
