/** Calls several sources of one answer, so that a silent source costs a short wait and not the answer. */
import { type Clock, inTime } from './in-time.ts';

export interface Patience {
  /** How long a source may be silent before the next one is called, too. */
  readonly hedgeMs: number;
  /** Epoch milliseconds: when the caller gives up. */
  readonly endsAt: number;
}

/**
 * The first answer of sources that are called in their order: the next one when all before it have failed, or the last one is silent.
 * @param calls read one by one, so a generator can depend on how earlier calls ended
 * @throws {SilentError} at the end; what the only call threw, or an AggregateError if all failed
 */
export async function firstAnswer<Answer>(
  clock: Clock,
  who: string,
  { hedgeMs, endsAt }: Patience,
  calls: Iterable<() => Promise<Answer>>,
): Promise<Answer> {
  const pending: Promise<Answer>[] = [];
  for (const call of calls) {
    pending.push(call());
    try {
      return await inTime(clock, Math.min(hedgeMs, endsAt - clock.now()), who, anyOf(pending));
    } catch {
      if (clock.now() >= endsAt) break;
    }
  }
  return inTime(clock, Math.max(0, endsAt - clock.now()), who, anyOf(pending));
}

function anyOf<Answer>(pending: readonly Promise<Answer>[]): Promise<Answer> {
  const [only, ...others] = pending;
  return only !== undefined && others.length === 0 ? only : Promise.any(pending);
}
