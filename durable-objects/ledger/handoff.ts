/**
 * Retiring a location: its ledgers hand off everything they store to all peers, end their incarnation, and announce it.
 * See durable-objects/README.md, "Retiring a location".
 */
import type {
  CopyPosition,
  CustomerRecords,
  HandoffProgress,
  LedgerSite,
  ReplicationBatch,
  RetirementAnswer,
} from '#contracts/internal/ledger';
import type { Location } from '#contracts/public/locations';
import type { StoredPeer } from './ledger-store.ts';
import type { LocalLedger } from './local-ledger.ts';
import { PageRoom } from './page-room.ts';
import { newerField, observeRegions, retiredField, senderOf } from './replication.ts';

/** Customers of one batch, if there is room for them. */
const HANDOFF_CUSTOMERS = 20;

/** Position inside a customer with more records than fit one page. */
export interface PartialHandoff {
  readonly number: number;
  readonly identifier: string;
  readonly after: CopyPosition;
}

/**
 * The next batch of a handoff: whole customers, including usage counted by other locations, since nobody can copy it later.
 * @param part the position where the previous batch ended inside a customer
 * @returns null when the peer has all customers
 */
export function nextHandoff(
  ledger: LocalLedger,
  location: Location,
  now: number,
  part: PartialHandoff | null,
): { readonly batch: ReplicationBatch; readonly part: PartialHandoff | null } | null {
  const peer = ledger.state.peer(location);
  if (peer === undefined) return null;
  const batchOf = (
    customers: readonly CustomerRecords[],
    handoffCursor: number | null,
  ): ReplicationBatch => ({
    from: senderOf(ledger),
    customers,
    upTo: peer.cursor,
    asOf: null,
    handoffCursor,
    settledAt: ledger.state.settledAt(now),
    ...retiredField(ledger),
  });
  const room = new PageRoom();
  if (part !== null) {
    const { records, next } = ledger.store.copyOf(part.identifier, part.after, room);
    if (next === null) return { batch: batchOf([records], part.number), part: null };
    return { batch: batchOf([records], null), part: { ...part, after: next } };
  }
  const whole: CustomerRecords[] = [];
  let last: number | null = null;
  for (const customer of ledger.store.customersAfter(peer.handoffCursor, HANDOFF_CUSTOMERS)) {
    const { records, next } = ledger.store.copyOf(customer.identifier, null, room);
    whole.push(records);
    if (next !== null) return { batch: batchOf(whole, last), part: { ...customer, after: next } };
    last = customer.number;
    if (room.isFull) break;
  }
  return last === null ? null : { batch: batchOf(whole, last), part: null };
}

/** What still has to be handed off before the ledger may retire. */
export function handoffProgress(ledger: LocalLedger): HandoffProgress {
  const { enabledPeers, hasRecords } = ledger.state;
  const waitingFor = hasRecords ? enabledPeers.filter((peer) => isWaiting(ledger, peer)) : [];
  return {
    isDrained: waitingFor.length === 0,
    waitingFor: waitingFor.map((peer) => peer.location),
  };
}

/**
 * Ends the ledger's incarnation once everything is handed off. A retired incarnation never reverts a decision again, so its
 * decisions win. @returns false if something is still to be handed off
 */
export function retireIncarnation(ledger: LocalLedger): boolean {
  return ledger.commit(() => {
    if (ledger.state.isOpen || !handoffProgress(ledger).isDrained) return false;
    ledger.state.retire();
    return true;
  });
}

/** Announces the retired incarnation. Peers accept it even when they store nothing yet. */
export function retirementNotice(ledger: LocalLedger): ReplicationBatch {
  const { location } = senderOf(ledger);
  const from = { location, origin: null };
  return {
    from,
    customers: [],
    upTo: 0,
    asOf: null,
    handoffCursor: null,
    settledAt: 0,
    ...retiredField(ledger),
  };
}

/** Processes a retirement notice. @param site this ledger, as the sender knows it */
export function observeRetirementNotice(
  ledger: LocalLedger,
  site: LedgerSite,
  notice: ReplicationBatch,
): RetirementAnswer {
  return ledger.commit(() => {
    ledger.observe(site);
    ledger.state.notePartialHandoff(notice.from.location, site);
    ledger.state.noteLeft(notice.from.location);
    ledger.observeRetired(notice.retired ?? []);
    return { origin: ledger.state.origin, ...newerField(ledger, site) };
  });
}

/**
 * Processes a peer's answer to the notice: it may know of locations that were enabled meanwhile, or have lost what was handed off to it.
 * @param answer earlier versions give none
 */
export function acknowledgeNotice(
  ledger: LocalLedger,
  location: Location,
  answer: RetirementAnswer | undefined,
): void {
  ledger.commit(() => {
    if (answer === undefined) return;
    if (answer.newerSite !== undefined) observeRegions(ledger, answer.newerSite);
    const peer = ledger.state.peer(location);
    if (peer === undefined || peer.origin === answer.origin) return;
    ledger.state.savePeer({ ...peer, origin: answer.origin, isFromStart: false, handoffCursor: 0 });
  });
}

/**
 * Deletes what a retired ledger has handed off, and leaves the site.
 * @param generation for which the deletion was ordered: the location may have been enabled again since
 * @param isDelivered whether the event stream has every event
 * @returns whether it was deleted
 */
export function eraseRetired(ledger: LocalLedger, generation: number, isDelivered: () => boolean): boolean {
  const { state } = ledger;
  return ledger.erase(
    () =>
      state.site?.generation === generation &&
      state.origin === null &&
      handoffProgress(ledger).isDrained &&
      isDelivered(),
  );
}

/** What a retired ledger still has to hand off is complete records, which have no version of its own. */
function isWaiting(ledger: LocalLedger, peer: StoredPeer): boolean {
  const { origin, sequence } = ledger.state;
  if (origin !== null && peer.cursor < sequence) return true;
  return ledger.store.customersAfter(peer.handoffCursor, 1).length > 0;
}
