/**
 * Carries what was used under another name of a customer over to the customer (DESIGN section 5): everything that this
 * location holds of the name, of all origins, again with every change. It is absolute, so that once more does no harm.
 */
import type { CopyPosition, CustomerRecords, LedgerAdoption, LedgerSite } from '#contracts/ledger';
import { carriedOrigin, isCarried } from '#engine/ledger/carried-origin';
import type { StoredLink } from './ledger-store.ts';
import type { LocalLedger } from './local-ledger.ts';

/** Keys, and resources, of one page. */
const PAGE_RECORDS = 1000;

export interface CarryPage {
  /** As the customer is to have them. */
  readonly records: CustomerRecords;
  readonly next: CopyPosition | null;
}

/** @param after where the last page ended; null for the first */
export function nextCarry(
  ledger: LocalLedger,
  { identifier, target }: StoredLink,
  after: CopyPosition | null,
): CarryPage {
  const { records, next } = ledger.store.copyOf(identifier, after, PAGE_RECORDS);
  const carried = <Kind extends { readonly origin: string }>(record: Kind): Kind => ({
    ...record,
    origin: carriedOrigin(record.origin, identifier),
  });
  const { cells, marks, keys } = records;
  return {
    records: {
      customer: target,
      cells: cells.map(carried),
      marks: marks.map(carried),
      keys: keys.map(carried),
    },
    next,
  };
}

/**
 * The customer's ledger has answered a page. Where the same key was accepted there, in a life that has ended, the name's
 * ledgers take theirs back: they are told as of what is decided here.
 */
export function finishPage(
  ledger: LocalLedger,
  { identifier }: StoredLink,
  { rivals, ended }: Extract<LedgerAdoption, { kind: 'taken' }>,
): void {
  const keys = rivals.filter(({ text, origin, at }) => {
    const known = ledger.store.findKeys(identifier, text);
    return !known.some((each) => each.origin === origin && each.at === at);
  });
  if (keys.length === 0) return;
  ledger.commit(() => {
    ledger.merge({ customer: identifier, cells: [], marks: [], keys }, true);
    ledger.learnEnded(ended);
  });
}

/** The customer's ledger has taken all pages. @param link as it stood when the first page was made */
export function finishCarry(ledger: LocalLedger, link: StoredLink): void {
  ledger.commit(() => ledger.saveCarried(link.identifier, link.changed));
}

/**
 * Takes what was carried over to one of the customers here, and tells the peers as of what is counted here.
 * @param site this ledger, as the sender knows it
 */
export function adoptUsage(ledger: LocalLedger, site: LedgerSite, records: CustomerRecords): LedgerAdoption {
  return ledger.commit((): LedgerAdoption => {
    ledger.hear(site);
    if (!ledger.self.isOpen) return { kind: 'moved' };
    const rivals = ledger
      .merge(records, true)
      .filter(({ origin }) => ledger.self.hasEnded(origin) && !isCarried(origin));
    return { kind: 'taken', rivals, ended: rivals.map(({ origin }) => origin) };
  });
}
