/**
 * Merges usage that was counted under an alias into the customer. The alias's ledger sends all records that this
 * location stores under the alias, of all origins, again after every change. Records are absolute and keep a derived
 * origin, so repeated merges are harmless. See durable-objects/README.md, "Aliases".
 */
import type { AliasMergeResult, CopyPosition, CustomerRecords, LedgerSite } from '#contracts/internal/ledger';
import { aliasOrigin, isFrom } from '#engine/ledger/alias-origin';
import { ERASED } from '#engine/ledger/erased-entities';
import type { StoredAlias } from './ledger-store.ts';
import type { LocalLedger } from './local-ledger.ts';
import { PageRoom } from './page-room.ts';

export interface AliasPage {
  /** The alias's records under the customer's identifier. */
  readonly records: CustomerRecords;
  readonly next: CopyPosition | null;
}

/** @param after `next` of the previous page; null for the first */
export function nextAliasPage(
  ledger: LocalLedger,
  { identifier, target, key }: StoredAlias,
  after: CopyPosition | null,
): AliasPage {
  const { records, next } =
    key === undefined
      ? ledger.store.copyOf(identifier, after, new PageRoom())
      : { records: finalDecisions(ledger, identifier, key), next: null };
  // Two names can become each other's alias one after the other. What was counted under the target is there already.
  const renamed = <Kind extends { readonly origin: string }>(these: readonly Kind[]): Kind[] =>
    these
      .filter(({ origin }) => !isFrom(origin, target))
      .map((each) => ({ ...each, origin: aliasOrigin(each.origin, identifier) }));
  const { buckets, holds, keys, registers } = records;
  return {
    records: {
      customer: target,
      buckets: renamed(buckets),
      holds: renamed(holds),
      keys: renamed(keys),
      ...(registers && { registers: renamed(registers.filter(({ kind }) => kind !== ERASED)) }),
    },
    next,
  };
}

function finalDecisions({ store, state }: LocalLedger, customer: string, text: string): CustomerRecords {
  const keys = store.findKeys(customer, text).filter(({ origin }) => state.isRetired(origin));
  return { customer, buckets: [], holds: [], keys };
}

/** The customer's ledger has merged all pages. @param alias as read before the first page */
export function finishAliasMerge(ledger: LocalLedger, alias: StoredAlias): void {
  ledger.commit(() => ledger.aliases.saveMerged(alias));
}

/**
 * Merges an alias's records into a customer of this ledger; they replicate to the peers like own records.
 * @param site this ledger, as the sender knows it
 */
export function mergeAliasUsage(
  ledger: LocalLedger,
  site: LedgerSite,
  records: CustomerRecords,
): AliasMergeResult {
  return ledger.commit((): AliasMergeResult => {
    ledger.observe(site);
    if (!ledger.state.isOpen) return { kind: 'moved' };
    ledger.merge(records, [], true);
    return { kind: 'taken', conflicts: [], retired: [] };
  });
}
