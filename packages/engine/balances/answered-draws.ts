/** What an update drew from balances, or gave back to them, as answers say it. */
import type { Draw, DrawSource } from '#contracts/internal/ledger';

export interface AnsweredDraw {
  /** The application's own id of the balance, or bal_…. */
  readonly from: string;
  /** Negative: given back. */
  readonly amount: number;
}

/**
 * One for each balance, in the order in which they were drawn from.
 * @param sources what the balances are called now; of one that is no source any more, its own id is said
 * @returns undefined without any
 */
export function answeredDraws(
  draws: readonly Draw[] | undefined,
  sources: readonly DrawSource[] = [],
): readonly AnsweredDraw[] | undefined {
  if (draws === undefined || draws.length === 0) return undefined;
  const names = new Map(
    sources.flatMap((each) => (each === 'quota' ? [] : [[each.grant, each.name ?? each.grant] as const])),
  );
  const amounts = new Map<string, number>();
  for (const { grant, amount } of draws) {
    const from = names.get(grant) ?? grant;
    amounts.set(from, (amounts.get(from) ?? 0) + amount);
  }
  return [...amounts].map(([from, amount]) => ({ from, amount }));
}
