/** What is left of a meter with balances: in all, and of the quota and each balance. */
import type { DrawSource, ReadDraws, ReadHeld } from '#contracts/internal/ledger';
import type { OrderedSource } from './drawing-order.ts';

export interface SourceLine {
  readonly source: DrawSource;
  readonly endsAt: number | null;
  readonly amount: number;
  /** Of the quota in its window, without what balances paid for; of a balance ever. At most `amount`. */
  readonly used: number;
  /** What open holds have taken of it. */
  readonly held: number;
  readonly remaining: number;
  readonly rolledFrom?: number;
}

export interface ReadBalances {
  /** The quota's limit and the amounts of all that can be drawn from. */
  readonly limit: number;
  /** What counts against it, without what is held. limit = used + held + remaining - overage. */
  readonly used: number;
  readonly held: number;
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
  reading: TakenUsage & { readonly held?: ReadHeld | undefined },
): ReadBalances {
  const { draws, held } = reading;
  const quotaTaken = quotaUsedOf(reading);
  const quotaHeld = quotaHeldOf(reading);
  const overage = Math.max(0, quotaTaken - quota);
  const lines = sources.map(({ source, ...place }): SourceLine => {
    const [amount, drawn, drawnByHolds] =
      source === 'quota'
        ? [quota, quotaTaken, quotaHeld]
        : [source.amount, draws?.grants[source.grant] ?? 0, held?.draws?.grants[source.grant] ?? 0];
    // Locations that draw at once may draw more than there is.
    const taken = Math.min(amount, drawn);
    const heldOf = Math.min(taken, drawnByHolds);
    return { source, ...place, amount, used: taken - heldOf, held: heldOf, remaining: amount - taken };
  });
  const sum = (of: 'amount' | 'used' | 'held' | 'remaining') =>
    lines.reduce((total, line) => total + line[of], 0);
  // Of a quota that has become smaller than what is held of it.
  const heldAbove = Math.max(0, quotaHeld - Math.min(quotaTaken, quota));
  return {
    ...{ limit: sum('amount'), used: sum('used') + overage - heldAbove, held: sum('held') + heldAbove },
    ...{ remaining: sum('remaining'), overage, lines },
  };
}

interface TakenUsage {
  /** With what is held. */
  readonly used: number;
  readonly draws?: ReadDraws | undefined;
}

/** What counts against the quota: usage in the window that no grant paid for. A location may know of draws before it knows of their usage. */
export function quotaUsedOf({ used, draws }: TakenUsage): number {
  return Math.max(0, used - (draws?.inWindow ?? 0));
}

/** What open holds have taken of the quota: at most what counts against it, since a location may know of a hold before it knows of its usage. */
export function quotaHeldOf({
  held,
  ...reading
}: TakenUsage & { readonly held?: ReadHeld | undefined }): number {
  if (held === undefined) return 0;
  return Math.min(quotaUsedOf(reading), quotaUsedOf({ used: held.amount, draws: held.draws }));
}
