/** Caches what Tessera's own Stripe account contains, per isolate. A change there is used after five minutes. */
import { BoundedCache } from '#engine/cache/bounded-cache';
import { MINUTE_MS } from '#engine/durations';
import type { WorkContext } from '#worker/http/request-context';

const CACHE_MS = 5 * MINUTE_MS;
/** There is one account; tests have several. */
const MAX_ACCOUNTS = 100;

type CacheContext = Pick<WorkContext, 'settings' | 'now'>;

export class AccountCache<Value extends NonNullable<unknown>> {
  readonly #values = new BoundedCache<string, { readonly value: Value; readonly until: number }>(
    MAX_ACCOUNTS,
  );

  get({ settings, now }: CacheContext): Value | undefined {
    const cached = this.#values.get(accountOf(settings));
    return cached !== undefined && now < cached.until ? cached.value : undefined;
  }

  set({ settings, now }: CacheContext, value: Value): void {
    this.#values.set(accountOf(settings), { value, until: now + CACHE_MS });
  }
}

function accountOf({ billing }: CacheContext['settings']): string {
  return billing?.secretKey ?? '';
}
