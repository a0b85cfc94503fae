/** Asks the ledger that a hold's id names whom it counts for. */
import type { FoundHold } from '#contracts/internal/ledger';
import type { EnvironmentSnapshot } from '#contracts/internal/snapshot';
import { holdUnknown } from '#engine/access/count-usage';
import type { HoldPlace } from '#engine/ledger/hold-name';
import { ledgerAt } from '#objects/stubs';
import type { Env } from '#worker/env';
import { Refusal } from '#worker/http/api-error';
import { homeOr, LedgerUnavailable } from './call-ledger.ts';

/** @throws {ApiError} not-found; unavailable if the ledger does not answer */
export async function findHold(
  env: Env,
  snapshot: EnvironmentSnapshot,
  { location, shard }: HoldPlace,
  name: string,
): Promise<FoundHold> {
  const { environmentId } = snapshot;
  const at = homeOr(location, snapshot);
  if (at === undefined) throw holdUnknown();
  try {
    const ledger = await ledgerAt(env, { environmentId, location: at, shard });
    const found = await ledger.findHold(name);
    if (found === 'moved') throw new LedgerUnavailable({ updates: [] });
    if (found === null) throw holdUnknown();
    return found;
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new LedgerUnavailable({ updates: [] });
  }
}
