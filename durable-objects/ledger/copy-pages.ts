/**
 * Copy on first use: a ledger copies everything that its peers store of a customer when the customer is first used here, and
 * receives further changes by replication.
 */
import type { LedgerCopyPage, LedgerCopyRequest, LedgerSite } from '#contracts/internal/ledger';
import type { Location } from '#contracts/public/locations';
import type { LocalLedger } from './local-ledger.ts';
import { PageRoom } from './page-room.ts';
import { identified, observeSite, replyContext } from './replication.ts';

/** How long to trust that a peer without stored data has nothing: it has no record of us and will not replicate to us. */
const EMPTY_MS = 30_000;

/** Serves one page of a customer to a peer, and replicates further changes to it. @param site this ledger, as the peer knows it */
export function serveCopyPage(
  ledger: LocalLedger,
  site: LedgerSite,
  request: LedgerCopyRequest,
): LedgerCopyPage {
  return ledger.commit(() => {
    ledger.observe(site);
    const { customer, after, from } = request;
    const page = { ...ledger.store.copyOf(customer, after, new PageRoom()), ...replyContext(ledger, site) };
    const peer = ledger.state.origin === null ? undefined : ledger.state.peer(from.location);
    if (peer === undefined) return { ...page, isRegistered: false, isAllPushed: false };
    const known = from.origin === null ? peer : identified(peer, from.origin);
    if (known !== peer) ledger.state.savePeer(known);
    const isSame = known.origin === null || known.origin === from.origin;
    return { ...page, isRegistered: true, isAllPushed: known.isFromStart && isSame };
  });
}

/** Merges a page that a peer served. @param now when the page was requested */
export function mergeCopyPage(
  ledger: LocalLedger,
  location: Location,
  page: LedgerCopyPage,
  now: number,
): void {
  ledger.commit(() => {
    const { records, next, newerSite } = page;
    if (newerSite !== undefined) observeSite(ledger, newerSite);
    if (records.buckets.length + records.holds.length + records.keys.length > 0) ledger.merge(records);
    ledger.observeRetired(page.retired ?? []);
    const peer = ledger.state.peer(location);
    if (page.isAllPushed && peer !== undefined && !peer.isWhole)
      ledger.state.savePeer({ ...peer, isWhole: true });
    if (next !== null) return;
    if (page.isRegistered) ledger.copies.save(records.customer, location);
    else ledger.copies.saveEmpty(records.customer, location, now + EMPTY_MS);
  });
}
