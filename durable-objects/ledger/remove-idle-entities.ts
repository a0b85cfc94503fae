/**
 * Erases the accounts of entities that nobody has used for long, so that a customer's limit of entities counts who is there. One location that has
 * everything of an account decides; what it writes erases the account in all of them.
 */

import { MINUTE_MS } from '#engine/durations';
import { readAccount } from '#engine/ledger/account';
import { hasSeat } from '#engine/ledger/also-counts';
import { type EntityReach, IDLE_MS, isIdle } from '#engine/ledger/idle-entities';
import { minuteOf } from '#engine/metering/bucket-widths';
import type { LocalLedger } from './local-ledger.ts';

/** Accounts of one transaction. */
const MAX_LOOKED_AT = 200;

/**
 * @param after number of the last account that was looked at; 0 for the first ones
 * @param reaches what plans limit each entity by
 * @returns the number of the last one; null: there are no further ones
 */
export function removeIdleEntities(
  ledger: LocalLedger,
  after: number,
  reaches: readonly EntityReach[],
  now: number,
): number | null {
  const { store, state } = ledger;
  if (!state.isOpen || state.origin === null) return null;
  const asOf = state.settledEverywhereAt(now);
  const before = minuteOf(asOf - IDLE_MS) * MINUTE_MS;
  return ledger.commit(() => {
    const accounts = store.entitiesAfter(after, before, MAX_LOOKED_AT);
    for (const { identifier } of accounts) {
      const { customer, entity } = readAccount(identifier);
      if (entity === undefined || !ledger.isAlone(identifier) || ledger.isInTrial(customer, now)) continue;
      const { buckets, registers, alias } = store.loadCustomer(identifier);
      const isMerged = alias === null || alias.changed <= alias.merged;
      if (registers.length > 0 || !isMerged || store.hasUses(identifier)) continue;
      const seats = reaches.flatMap(({ seats: seat }) => seat ?? []);
      const records = ledger.usesOf(customer);
      if (seats.some((seat) => hasSeat(records, { seat, entity }))) continue;
      if (isIdle(buckets, reaches, asOf)) ledger.eraseEntity(customer, entity, before);
    }
    const last = accounts.at(-1)?.number ?? null;
    return accounts.length < MAX_LOOKED_AT ? null : last;
  });
}
