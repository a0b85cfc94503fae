/** Counts what recorded checks come to by two versions, and lists whose they were. */
import {
  MAX_REPLAYED_CUSTOMERS,
  type Replay,
  type ReplayKind,
  replayKindSchema,
} from '#contracts/console/impact';
import type { RecordedCheck } from '#contracts/internal/recorded-check';

/** One check that both versions decided. */
export interface Difference {
  readonly check: RecordedCheck;
  /** Null: they decide the same. */
  readonly kind: ReplayKind | null;
  readonly reason: string | null;
}

/** @param checks newest first @param decided in the same order */
export function summariseReplay(
  names: Pick<Replay, 'workflows' | 'newWorkflows'>,
  checks: readonly RecordedCheck[],
  decided: readonly Difference[],
): Replay {
  const customers = new Map<string, Replay['customers'][number]>();
  const counts = { denied: 0, allowed: 0, changes: 0, fails: 0 };
  for (const { check, kind, reason } of decided) {
    if (kind === null) continue;
    counts[kind] += 1;
    const { subjectIdentifier: identifier, id: eventId, time: at } = check;
    const key = JSON.stringify([kind, identifier]);
    const known = customers.get(key) ?? { kind, identifier, checks: 0, eventId, at, reason };
    customers.set(key, { ...known, checks: known.checks + 1 });
  }
  const rankOf = ({ kind }: { readonly kind: ReplayKind }) => replayKindSchema.options.indexOf(kind);
  const ordered = [...customers.values()].sort(
    (one, other) => rankOf(one) - rankOf(other) || other.checks - one.checks,
  );
  return {
    ...names,
    ...counts,
    found: checks.length,
    replayed: decided.length,
    customers: ordered.slice(0, MAX_REPLAYED_CUSTOMERS),
    customersLeft: Math.max(0, ordered.length - MAX_REPLAYED_CUSTOMERS),
  };
}
