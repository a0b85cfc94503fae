/**
 * Replication between the ledgers of different locations: state-based anti-entropy. Each ledger sends its own records in
 * batches until every peer has acknowledged them. Records are absolute and merges keep the higher version, so batches may be
 * lost, repeated or reordered. The functions are synchronous; peer-replicator.ts does the I/O.
 */
import type {
  CustomerRecords,
  KeyRecord,
  LedgerSite,
  Regions,
  ReplicationAck,
  ReplicationBatch,
} from '#contracts/internal/ledger';
import type { Location } from '#contracts/public/locations';
import { MINUTE_MS } from '#engine/durations';
import type { StoredPeer } from './ledger-store.ts';
import type { LocalLedger } from './local-ledger.ts';

/** How far a peer is settled decides when records of a day are deleted, and costs a row: it is stored in steps. */
const stepOf = (settledAt: number) => Math.floor(settledAt / (10 * MINUTE_MS));
/** Records of one batch. */
const BATCH_RECORDS = 500;

/** The next batch for a peer; null when the peer has everything. */
export function nextBatch(
  ledger: LocalLedger,
  location: Location,
  now: number,
  limit = BATCH_RECORDS,
): ReplicationBatch | null {
  const peer = ledger.state.peer(location);
  const { origin } = ledger.state;
  if (peer === undefined || origin === null || peer.cursor >= ledger.state.sequence) return null;
  const { customers, upTo, isAll } = ledger.store.changesAfter(peer.cursor, limit);
  return {
    from: senderOf(ledger),
    customers,
    upTo: isAll ? ledger.state.sequence : upTo,
    asOf: isAll ? now : null,
    handoffCursor: null,
    settledAt: ledger.state.settledAt(now),
    ...retiredField(ledger),
  };
}

/**
 * A batch without records, for a peer that has everything: tells it how far this ledger is settled, and its acknowledgement says the
 * same of the peer. Null if the peer lacks something.
 */
export function settlementBatch(
  ledger: LocalLedger,
  location: Location,
  now: number,
): ReplicationBatch | null {
  const peer = ledger.state.peer(location);
  const { origin, sequence } = ledger.state;
  if (peer === undefined || origin === null || peer.cursor < sequence) return null;
  return {
    from: senderOf(ledger),
    customers: [],
    upTo: sequence,
    asOf: now,
    handoffCursor: null,
    settledAt: ledger.state.settledAt(now),
    ...retiredField(ledger),
  };
}

/** Processes a peer's acknowledgement of a batch. */
export function acknowledgeBatch(
  ledger: LocalLedger,
  location: Location,
  batch: ReplicationBatch,
  answer: ReplicationAck,
): void {
  ledger.commit(() => {
    if (answer.kind === 'moved') {
      observeRegions(ledger, answer);
      return;
    }
    if (answer.newerSite !== undefined) observeRegions(ledger, answer.newerSite);
    const peer = ledger.state.peer(location);
    if (peer === undefined || batch.from.origin !== ledger.state.origin) return;
    for (const records of answer.conflicts) ledger.merge(records, answer.retired);
    const known = identified(peer, answer.origin);
    // Another incarnation has lost what was handed off to the one before.
    const isSame = known === peer || peer.origin === null;
    const acknowledged = {
      ...known,
      cursor: Math.max(peer.cursor, batch.upTo),
      ackedAt: Math.max(peer.ackedAt, batch.asOf ?? 0),
      settledAt: Math.max(peer.settledAt, answer.settledAt ?? 0),
      handoffCursor: isSame ? Math.max(peer.handoffCursor, batch.handoffCursor ?? 0) : 0,
    };
    if (known === peer && batch.handoffCursor === null) ledger.state.notePeer(acknowledged);
    else ledger.state.savePeer(acknowledged);
  });
}

/** Merges a peer's batch. @param site this ledger, as the sender knows it */
export function receiveBatch(
  ledger: LocalLedger,
  site: LedgerSite,
  batch: ReplicationBatch,
  now: number,
): ReplicationAck {
  return ledger.commit(() => {
    ledger.observe(site);
    const { generation, locations, leaving } = ledger.state.site ?? site;
    if (!ledger.isTaking) return { kind: 'moved', generation, locations, leaving };
    const origin = ledger.state.liveOrigin();
    if (!site.locations.includes(batch.from.location)) {
      ledger.state.notePartialHandoff(batch.from.location, site);
    }
    const conflicts: CustomerRecords[] = [];
    for (const records of batch.customers) {
      const keys = ledger.merge(records, batch.retired);
      if (keys.length > 0) conflicts.push(keysOnly(records.customer, keys));
    }
    const peer = ledger.state.peer(batch.from.location);
    if (peer !== undefined && peer.settledAt < batch.settledAt) {
      const isStep = stepOf(peer.settledAt) < stepOf(batch.settledAt) || batch.customers.length === 0;
      const later = { ...peer, settledAt: batch.settledAt };
      if (isStep) ledger.state.savePeer(later);
      else ledger.state.notePeer(later);
    }
    const settledAt = ledger.state.settledAt(now);
    return { kind: 'taken', origin, conflicts, settledAt, ...replyContext(ledger, site) };
  });
}

export function senderOf(ledger: LocalLedger): ReplicationBatch['from'] {
  const location = ledger.state.site?.location;
  if (location === undefined) throw new Error('A ledger replicates only after it has stored its site');
  return { location, origin: ledger.state.origin };
}

/**
 * The peer with its current origin. A different origin than before means that the peer was disabled in between and lost its
 * data: it copies what it needs, and receives what changes from now on.
 */
export function identified(peer: StoredPeer, origin: string): StoredPeer {
  if (peer.origin === origin) return peer;
  return { ...peer, origin, isFromStart: peer.isFromStart && peer.origin === null, handoffCursor: 0 };
}

export function observeRegions(ledger: LocalLedger, { generation, locations, leaving }: Regions): void {
  const { site } = ledger.state;
  if (site !== null) ledger.observe({ ...site, generation, locations, leaving });
}

/** Attached to every reply: retired incarnations, and the regions if the caller's generation is older. */
export function replyContext(ledger: LocalLedger, site: LedgerSite) {
  return { ...retiredField(ledger), ...newerField(ledger, site) };
}

/** The regions, if the caller's generation is older. */
export function newerField({ state }: LocalLedger, { generation }: LedgerSite): { newerSite?: Regions } {
  const known = state.site;
  if (known === null || known.generation <= generation) return {};
  return {
    newerSite: { generation: known.generation, locations: known.locations, leaving: known.leaving },
  };
}

export function retiredField({ state: { retired } }: LocalLedger): { readonly retired?: readonly string[] } {
  return retired.length === 0 ? {} : { retired };
}

function keysOnly(customer: string, keys: readonly KeyRecord[]): CustomerRecords {
  return { customer, buckets: [], holds: [], keys };
}
