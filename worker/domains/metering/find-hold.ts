/** Asks whom a hold counts for: the ledger that its id names, and others if that one is silent or does not know it yet. */
import type { FoundHold } from '#contracts/internal/ledger';
import type { EnvironmentSnapshot } from '#contracts/internal/snapshot';
import type { Location } from '#contracts/public/locations';
import { holdUnknown } from '#engine/access/count-usage';
import type { HoldPlace } from '#engine/ledger/hold-name';
import { HEDGE_READ_MS, READ_MS, stageEnd } from '#engine/outages/budget';
import { inTime } from '#engine/outages/in-time';
import { ledgerAt } from '#objects/stubs';
import { systemClock } from '#runtime/clock';
import type { Env } from '#worker/env';
import { DEFAULT_SHARDS, homeOr, LedgerUnavailable } from './call-ledger.ts';

/** @param callEndsAt when the call's budget ends @throws {ApiError} not-found; unavailable if a ledger that may know it does not answer */
export async function findHold(
  env: Env,
  snapshot: EnvironmentSnapshot,
  { location, shard }: HoldPlace,
  name: string,
  callEndsAt: number,
): Promise<FoundHold> {
  const { environmentId, locations, leaving = {}, ledgerShards = DEFAULT_SHARDS } = snapshot;
  const first = homeOr(location, snapshot);
  if (first === undefined || shard >= ledgerShards) throw holdUnknown();
  const now = systemClock.now();
  const endsAt = stageEnd(now, READ_MS, callEndsAt);
  const wait = <Answer>(ms: number, answer: Promise<Answer>) => inTime(systemClock, ms, 'The ledger', answer);
  /** Rejects for one that does not know the hold, with null. */
  const ask = async (at: Location): Promise<FoundHold> => {
    const ledger = await ledgerAt(env, { environmentId, location: at, shard });
    const found = await ledger.findHold(name);
    if (found === 'moved') throw new Error('The location is disabled');
    if (found === null) throw null;
    return found;
  };
  const asked = ask(first);
  try {
    return await wait(HEDGE_READ_MS, asked);
  } catch {
    // A ledger of a location that was enabled lately learns of a customer with its first call.
    const answers = [asked, ...locations.filter((each) => each !== first).map(ask)];
    try {
      return await wait(Math.max(0, endsAt - systemClock.now()), Promise.any(answers));
    } catch (error) {
      // A location that is leaving may have it, until it has handed it over.
      const isAnyoneLeaving = Object.keys(leaving).length > 0;
      const isUnknown =
        !isAnyoneLeaving && error instanceof AggregateError && error.errors.every((each) => each === null);
      throw isUnknown ? holdUnknown() : new LedgerUnavailable({ updates: [] });
    }
  }
}
