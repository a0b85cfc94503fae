/** Grants that updates of a random history draw from, and what a list of decisions drew from them. */
import type { CounterUpdate, DrawSource } from '#contracts/internal/ledger';
import type { Random } from '#lab/fixtures/seeded-random';
import type { Decision } from './usage-account.ts';

/** Grants in an order that differs from update to update; some have ended. */
export function someSources({ next, below }: Random): Pick<CounterUpdate, 'sources'> {
  const grants = ['early', 'late', 'spent']
    .filter(() => next() < 0.8)
    .map((grant) => ({ grant, amount: grant === 'spent' ? 3 : below(40) }));
  const sources: DrawSource[] = ['quota', ...grants];
  return { sources: sources.sort(() => next() - 0.5) };
}

/** From each grant by these decisions. */
export function drawnBy(decisions: readonly Decision[]): Record<string, number> {
  const drawn: Record<string, number> = {};
  for (const { outcome } of decisions)
    for (const { grant, amount } of outcome.draws ?? []) drawn[grant] = (drawn[grant] ?? 0) + amount;
  return withoutZeros(drawn);
}

/** A grant of which all draws were given back or reverted is listed, with 0. */
export function withoutZeros(drawn: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(drawn).filter(([, amount]) => amount > 0));
}
