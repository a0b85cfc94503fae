/**
 * Deletes expired idempotency keys, releases (tombstones) and registers that no location needs any more. Every location deletes its own copies,
 * in a transaction that only deletes: it does not depend on anything being counted here, and works in a full storage.
 */
import type { ResourceUse } from '#contracts/internal/ledger';
import { DECISIONS_KEPT_MS } from '#engine/ledger/conflicting-decisions';
import { currentUse } from '#engine/ledger/resource-use';
import type { LocalLedger } from './local-ledger.ts';

/** Keys, and resources, of one transaction. */
const MAX_DELETIONS = 500;

export interface Deletions {
  readonly count: number;
  /** There may be more to delete. */
  readonly isMore: boolean;
}

/**
 * A key may only be deleted when every location has received everything that was decided during the key's lifetime: one of them may
 * have accepted the same key. A release is kept until no location can still replicate an older use of the resource, and a register until
 * all know its last state.
 */
export function deleteSettled(ledger: LocalLedger, now: number): Deletions {
  const { store, state } = ledger;
  const { origin } = state;
  if (origin === null) return { count: 0, isMore: false };
  const before = state.settledEverywhereAt(now) - DECISIONS_KEPT_MS;
  const upTo = state.acknowledged;
  return ledger.commit(() => {
    state.saveProgress();
    // A reverted key is among the latest changes, however old its decision is.
    const keys = store.deleteKeys(before, upTo, MAX_DELETIONS);
    // What this location itself has counted in the erased minute since.
    for (const { customer, entity, before: erased } of store.erasedEntities(
      before + DECISIONS_KEPT_MS,
      MAX_DELETIONS,
    ))
      ledger.dropErased(customer, entity, erased);
    const registers = store.deleteRegisters(before + DECISIONS_KEPT_MS, upTo, MAX_DELETIONS);
    const resources = store.releasedBefore(before, MAX_DELETIONS);
    let count = keys + registers;
    for (const { customer, propertyId, resourceId } of resources) {
      const uses = store.findUses(customer, propertyId, resourceId);
      if (uses.some((use) => use.origin === origin && use.version > upTo)) continue;
      const settled = settledUses(uses, before);
      store.deleteUses(customer, settled);
      count += settled.length;
    }
    return { count, isMore: Math.max(keys, registers, resources.length) === MAX_DELETIONS };
  });
}

/** All uses of a resource that was released long ago; for other resources only releases that lost long ago. */
function settledUses(uses: readonly ResourceUse[], before: number): ResourceUse[] {
  const winner = currentUse(uses);
  const isReleased = winner !== null && !winner.isHeld && winner.stamp < before;
  return uses.filter((use) => use.stamp > 0 && use.stamp < before && (isReleased || !use.isHeld));
}
