/** What is left of a meter with balances: in all, and of the quota and each balance. */
import type { DrawSource, ReadDraws } from '#contracts/internal/ledger';
import type { OrderedSource } from './drawing-order.ts';

export interface SourceLine {
  readonly source: DrawSource;
  readonly endsAt: number | null;
  readonly amount: number;
  /** Of the quota in its window, without what balances paid for; of a balance ever. At most `amount`. */
  readonly used: number;
  readonly remaining: number;
}

export interface ReadBalances {
  /** The quota's limit and the amounts of all that can be drawn from. */
  readonly limit: number;
  /** What counts against it. With `overage`: limit = used + remaining - overage. */
  readonly used: number;
  readonly remaining: number;
  /** Usage above quota and balances. It never uses up a balance. */
  readonly overage: number;
  /** In the order of drawing. */
  readonly lines: readonly SourceLine[];
}

/**
 * @param sources of sourcesOf
 * @param quota the meter's limit
 */
export function readBalances(
  sources: readonly OrderedSource[],
  quota: number,
  reading: { readonly used: number; readonly draws?: ReadDraws | undefined },
): ReadBalances {
  const quotaUsed = quotaUsedOf(reading);
  const overage = Math.max(0, quotaUsed - quota);
  const lines = sources.map(({ source, endsAt }): SourceLine => {
    const [amount, drawn] =
      source === 'quota' ? [quota, quotaUsed] : [source.amount, reading.draws?.grants[source.grant] ?? 0];
    // Locations that draw at once may draw more than there is.
    const usedOf = Math.min(amount, drawn);
    return { source, endsAt, amount, used: usedOf, remaining: amount - usedOf };
  });
  const sum = (of: 'amount' | 'used' | 'remaining') => lines.reduce((total, line) => total + line[of], 0);
  return { limit: sum('amount'), used: sum('used') + overage, remaining: sum('remaining'), overage, lines };
}

/** What counts against the quota: usage in the window that no grant paid for. A location may know of draws before it knows of their usage. */
export function quotaUsedOf({
  used,
  draws,
}: {
  readonly used: number;
  readonly draws?: ReadDraws | undefined;
}): number {
  return Math.max(0, used - (draws?.inWindow ?? 0));
}
