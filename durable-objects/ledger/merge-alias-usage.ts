/**
 * Merges usage that was counted under an alias into the customer. The alias's ledger sends all records that this
 * location stores under the alias, of all origins, again after every change. Records are absolute and keep a derived
 * origin, so repeated merges are harmless. See durable-objects/README.md, "Aliases".
 */
import type { AliasMergeResult, CopyPosition, CustomerRecords, LedgerSite } from '#contracts/internal/ledger';
import { aliasOrigin, isAliasOrigin, isFrom } from '#engine/ledger/alias-origin';
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
  { identifier, target }: StoredAlias,
  after: CopyPosition | null,
): AliasPage {
  const { records, next } = ledger.store.copyOf(identifier, after, new PageRoom());
  // Two names can become each other's alias one after the other. What was counted under the target is there already.
  const renamed = <Kind extends { readonly origin: string }>(these: readonly Kind[]): Kind[] =>
    these
      .filter(({ origin }) => !isFrom(origin, target))
      .map((each) => ({ ...each, origin: aliasOrigin(each.origin, identifier) }));
  const { buckets, holds, keys } = records;
  return {
    records: {
      customer: target,
      buckets: renamed(buckets),
      holds: renamed(holds),
      keys: renamed(keys),
    },
    next,
  };
}

/**
 * Processes the reply to one page. If a retired incarnation of the customer accepted the same key, its decision wins: the alias's ledgers
 * revert theirs. It is stored as one that was made under another name, so every peer that it replicates to knows that it is final.
 */
export function acknowledgeAliasPage(
  ledger: LocalLedger,
  { identifier, target }: StoredAlias,
  { conflicts }: Extract<AliasMergeResult, { kind: 'taken' }>,
): void {
  const keys = conflicts
    .map((key) => ({ ...key, origin: aliasOrigin(key.origin, target) }))
    .filter(({ text, origin, at }) => {
      const known = ledger.store.findKeys(identifier, text);
      return !known.some((each) => each.origin === origin && each.at === at);
    });
  if (keys.length === 0) return;
  ledger.commit(() => {
    ledger.merge({ customer: identifier, buckets: [], holds: [], keys }, [], true);
  });
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
    const conflicts = ledger
      .merge(records, [], true)
      .filter(({ origin }) => ledger.state.isRetired(origin) && !isAliasOrigin(origin));
    return { kind: 'taken', conflicts, retired: conflicts.map(({ origin }) => origin) };
  });
}
