/** Asks whom a hold counts for: the ledger that its id names, and others if that one does not know it yet. */
import type { FoundHold } from '#contracts/internal/ledger';
import type { EnvironmentSnapshot } from '#contracts/internal/snapshot';
import type { Location } from '#contracts/public/locations';
import { holdUnknown } from '#engine/access/count-usage';
import type { HoldPlace } from '#engine/ledger/hold-name';
import { ledgerAt } from '#objects/stubs';
import type { Env } from '#worker/env';
import { DEFAULT_SHARDS, homeOr, LedgerUnavailable } from './call-ledger.ts';

/** @throws {ApiError} not-found; unavailable if a ledger does not answer */
export async function findHold(
  env: Env,
  snapshot: EnvironmentSnapshot,
  { location, shard }: HoldPlace,
  name: string,
): Promise<FoundHold> {
  const { environmentId, locations } = snapshot;
  const first = homeOr(location, snapshot);
  if (first === undefined || shard >= (snapshot.ledgerShards ?? DEFAULT_SHARDS)) throw holdUnknown();
  const ask = async (at: Location) => {
    const ledger = await ledgerAt(env, { environmentId, location: at, shard });
    return ledger.findHold(name);
  };
  try {
    const found = await ask(first);
    if (found !== null && found !== 'moved') return found;
    // One that was enabled lately learns of a customer with its first call.
    const answers = await Promise.all(locations.filter((each) => each !== first).map(ask));
    for (const each of answers) if (each !== null && each !== 'moved') return each;
  } catch {
    throw new LedgerUnavailable({ updates: [] });
  }
  throw holdUnknown();
}
