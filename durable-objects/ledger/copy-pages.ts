/**
 * Copy on first use: a ledger copies everything that its peers store of a customer when the customer is first used here, and
 * receives further changes by replication. Asking for a copy registers a ledger with its peers, for all customers and for good.
 */
import type { LedgerCopyPage, LedgerCopyRequest, LedgerSender, LedgerSite } from '#contracts/internal/ledger';
import type { Location } from '#contracts/public/locations';
import type { LocalLedger } from './local-ledger.ts';
import { PageRoom } from './page-room.ts';
import { identified, observeRegions, replyContext, senderOf } from './replication.ts';

/** Who asks for copies. Starts an incarnation if there is none: peers name it, and what they say of themselves can be stored. */
export function copierOf(ledger: LocalLedger): LedgerSender {
  if (ledger.state.origin === null) ledger.commit(() => ledger.state.liveOrigin());
  return senderOf(ledger);
}

/**
 * Serves one page of a customer to a peer, and replicates further changes to it. For that, a ledger that has counted nothing starts an
 * incarnation, too: it then pushes to the peer from its first count on, and is not asked again.
 * @param site this ledger, as the peer knows it
 */
export function serveCopyPage(
  ledger: LocalLedger,
  site: LedgerSite,
  request: LedgerCopyRequest,
): LedgerCopyPage {
  return ledger.commit(() => {
    ledger.observe(site);
    if (ledger.state.isOpen) ledger.state.liveOrigin();
    const { customer, after, from } = request;
    const { isOpen, hasRecords } = ledger.state;
    const page = { ...ledger.store.copyOf(customer, after, new PageRoom()), ...replyContext(ledger, site) };
    // A disabled location counts nothing: one that has nothing keeps it so.
    if (!isOpen && !hasRecords) return { ...page, isRegistered: true, isAllPushed: true };
    const peer = ledger.state.peer(from.location);
    if (peer === undefined) return { ...page, isRegistered: false, isAllPushed: false };
    const known = from.origin === null ? peer : identified(peer, from.origin);
    if (known !== peer) ledger.state.savePeer(known);
    const isSame = known.origin === null || known.origin === from.origin;
    const isPushing = ledger.state.origin !== null;
    return { ...page, isRegistered: true, isAllPushed: isPushing && known.isFromStart && isSame };
  });
}

/** Merges a page that a peer served. */
export function mergeCopyPage(ledger: LocalLedger, location: Location, page: LedgerCopyPage): void {
  ledger.commit(() => {
    const { records, next, newerSite } = page;
    if (newerSite !== undefined) observeRegions(ledger, newerSite);
    // It would be copied again once the location is enabled.
    if (!ledger.state.isOpen) return;
    const { buckets, holds, keys, registers = [] } = records;
    if (buckets.length + holds.length + keys.length + registers.length > 0)
      ledger.merge(records, page.retired);
    const peer = ledger.state.peer(location);
    if (page.isAllPushed) {
      if (peer?.isWhole === false) ledger.state.savePeer({ ...peer, isWhole: true });
    } else if (page.isRegistered && next === null) ledger.copies.save(records.customer, location);
  });
}
