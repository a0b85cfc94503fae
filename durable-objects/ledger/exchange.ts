/**
 * What ledgers of different locations say to each other. Each sends what itself has counted, absolute, until it is
 * acknowledged; each copies what it may have missed when a customer is first used. No function waits: the object does.
 */
import type {
  CopyPosition,
  CustomerRecords,
  DrainProgress,
  KeyRecord,
  LedgerCopyPage,
  LedgerCopyRequest,
  LedgerPush,
  LedgerPushAnswer,
  LedgerSite,
} from '#contracts/ledger';
import type { Location } from '#contracts/locations';
import type { StoredPeer } from './ledger-store.ts';
import type { LocalLedger } from './local-ledger.ts';

/** Records of one push, and of one page of a copy. */
const PUSH_RECORDS = 500;
const PAGE_RECORDS = 1000;
const HANDED_OVER_CUSTOMERS = 20;
/** How long a peer that has nothing stored is believed: it cannot promise to send what it will have. */
const EMPTY_MS = 30_000;

/** The next of what a peer does not have; null when it has everything. */
export function nextPush(
  ledger: LocalLedger,
  location: Location,
  now: number,
  limit = PUSH_RECORDS,
): LedgerPush | null {
  const peer = ledger.self.peer(location);
  const { origin } = ledger.self;
  if (peer === undefined || origin === null || peer.cursor >= ledger.self.sequence) return null;
  const { customers, upTo, isAll } = ledger.store.changesAfter(origin, peer.cursor, limit);
  return {
    from: speaker(ledger),
    customers,
    upTo: isAll ? ledger.self.sequence : upTo,
    asOf: isAll ? now : null,
    handedOver: null,
    settledAt: ledger.self.settledAt(now),
    ...endedIn(ledger),
  };
}

/** How far a customer of many records has been handed over. */
export interface PartCustomer {
  readonly number: number;
  readonly identifier: string;
  readonly after: CopyPosition;
}

/**
 * Of a ledger that is closing: whole customers, also what other locations counted, since nobody can copy them later.
 * @param part what the last one left unfinished
 * @returns null when the peer has them all
 */
export function nextHandOver(
  ledger: LocalLedger,
  location: Location,
  now: number,
  part: PartCustomer | null,
): { readonly push: LedgerPush; readonly part: PartCustomer | null } | null {
  const peer = ledger.self.peer(location);
  if (peer === undefined || ledger.self.origin === null) return null;
  const push = (customers: readonly CustomerRecords[], handedOver: number | null): LedgerPush => ({
    from: speaker(ledger),
    customers,
    upTo: peer.cursor,
    asOf: null,
    handedOver,
    settledAt: ledger.self.settledAt(now),
    ...endedIn(ledger),
  });
  if (part !== null) {
    const { records, next } = ledger.store.copyOf(part.identifier, part.after, PAGE_RECORDS);
    if (next === null) return { push: push([records], part.number), part: null };
    return { push: push([records], null), part: { ...part, after: next } };
  }
  const whole: CustomerRecords[] = [];
  let last: number | null = null;
  for (const customer of ledger.store.customersAfter(peer.handedOver, HANDED_OVER_CUSTOMERS)) {
    const { records, next } = ledger.store.copyOf(customer.identifier, null, PAGE_RECORDS);
    whole.push(records);
    if (next !== null) return { push: push(whole, last), part: { ...customer, after: next } };
    last = customer.number;
  }
  return last === null ? null : { push: push(whole, last), part: null };
}

/** The peer answered a push. */
export function finishPush(
  ledger: LocalLedger,
  location: Location,
  push: LedgerPush,
  answer: LedgerPushAnswer,
): void {
  ledger.commit(() => {
    if (answer.kind === 'moved') {
      hearNews(ledger, answer);
      return;
    }
    if (answer.news !== undefined) hearNews(ledger, answer.news);
    const peer = ledger.self.peer(location);
    if (peer === undefined || push.from.origin !== ledger.self.origin) return;
    for (const records of answer.rivals) ledger.merge(records);
    ledger.learnEnded(answer.ended ?? []);
    ledger.self.savePeer({
      ...introduced(peer, answer.origin),
      cursor: Math.max(peer.cursor, push.upTo),
      ackedAt: Math.max(peer.ackedAt, push.asOf ?? 0),
      settledAt: Math.max(peer.settledAt, answer.settledAt ?? 0),
      handedOver: Math.max(peer.handedOver, push.handedOver ?? 0),
    });
  });
}

/** Takes what a peer sends. @param site this ledger, as the sender knows it */
export function receivePush(
  ledger: LocalLedger,
  site: LedgerSite,
  push: LedgerPush,
  now: number,
): LedgerPushAnswer {
  return ledger.commit(() => {
    ledger.hear(site);
    const known = ledger.self.site ?? site;
    const { generation, locations } = known;
    if (!ledger.self.isOpen) return { kind: 'moved', generation, locations };
    const origin = ledger.self.live();
    const rivals: CustomerRecords[] = [];
    for (const records of push.customers) {
      const keys = ledger.merge(records);
      if (keys.length > 0) rivals.push(keysOnly(records.customer, keys));
    }
    const peer = ledger.self.peer(push.from.location);
    if (peer !== undefined && peer.settledAt < push.settledAt) {
      ledger.self.savePeer({ ...peer, settledAt: push.settledAt });
    }
    ledger.learnEnded(push.ended ?? []);
    const settledAt = ledger.self.settledAt(now);
    return { kind: 'taken', origin, rivals, settledAt, ...newsFor(ledger, site) };
  });
}

/**
 * Of a ledger that has handed over everything: its life ends, and with it all reasons to take something back. From then on
 * the others are told so. @returns false: there is something left to hand over
 */
export function endLife(ledger: LocalLedger): boolean {
  return ledger.commit(() => {
    if (!drainProgress(ledger).isDrained) return false;
    ledger.self.end();
    return true;
  });
}

/** Tells the others that this ledger's life has ended. They take it also where nothing is stored with them yet. */
export function closingWord(ledger: LocalLedger): LedgerPush {
  const from = { location: speaker(ledger).location, origin: null };
  return { from, customers: [], upTo: 0, asOf: null, handedOver: null, settledAt: 0, ...endedIn(ledger) };
}

/** Takes a closing word. @param site this ledger, as the sender knows it */
export function hearClosingWord(ledger: LocalLedger, site: LedgerSite, word: LedgerPush): void {
  ledger.commit(() => {
    ledger.hear(site);
    ledger.self.forgetPeer(word.from.location);
    ledger.learnEnded(word.ended ?? []);
  });
}

/** Answers a peer that copies a customer, and from then on keeps it informed. @param site this ledger, as the peer knows it */
export function givePage(ledger: LocalLedger, site: LedgerSite, request: LedgerCopyRequest): LedgerCopyPage {
  return ledger.commit(() => {
    ledger.hear(site);
    const { customer, after, from } = request;
    const page = { ...ledger.store.copyOf(customer, after, PAGE_RECORDS), ...newsFor(ledger, site) };
    const peer = ledger.self.origin === null ? undefined : ledger.self.peer(from.location);
    if (peer === undefined) return { ...page, isRegistered: false, isAllPushed: false };
    const known = from.origin === null ? peer : introduced(peer, from.origin);
    if (known !== peer) ledger.self.savePeer(known);
    const isSame = known.origin === null || known.origin === from.origin;
    return { ...page, isRegistered: true, isAllPushed: known.isFromStart && isSame };
  });
}

/** Takes a page that a peer gave. @param now when the peer was asked */
export function takePage(ledger: LocalLedger, location: Location, page: LedgerCopyPage, now: number): void {
  ledger.commit(() => {
    const { records, next, news } = page;
    if (news !== undefined) hearNews(ledger, news);
    if (records.cells.length + records.marks.length + records.keys.length > 0) ledger.merge(records);
    ledger.learnEnded(page.ended ?? []);
    const peer = ledger.self.peer(location);
    if (page.isAllPushed && peer !== undefined && !peer.isWhole)
      ledger.self.savePeer({ ...peer, isWhole: true });
    if (next !== null) return;
    if (page.isRegistered) ledger.saveCopied(records.customer, location);
    else ledger.open(records.customer).emptyUntil.set(location, now + EMPTY_MS);
  });
}

/** What a ledger that is closing still has to hand over. */
export function drainProgress(ledger: LocalLedger): DrainProgress {
  const waitingFor =
    ledger.self.origin === null ? [] : ledger.self.peers.filter((peer) => isWaiting(ledger, peer));
  return {
    isDrained: waitingFor.length === 0,
    waitingFor: waitingFor.map((peer) => peer.location),
  };
}

export function speaker(ledger: LocalLedger): LedgerPush['from'] {
  const location = ledger.self.site?.location;
  if (location === undefined) throw new Error('A ledger speaks only after it was told where it is');
  return { location, origin: ledger.self.origin };
}

function isWaiting(ledger: LocalLedger, peer: StoredPeer): boolean {
  if (peer.cursor < ledger.self.sequence) return true;
  return ledger.store.customersAfter(peer.handedOver, 1).length > 0;
}

/**
 * A peer that names itself otherwise than before has lost what it had: it was turned off in between. It copies what it
 * needs, and is sent what changes from now on.
 */
function introduced(peer: StoredPeer, origin: string): StoredPeer {
  if (peer.origin === origin) return peer;
  return { ...peer, origin, isFromStart: peer.isFromStart && peer.origin === null, handedOver: 0 };
}

function hearNews(
  ledger: LocalLedger,
  { generation, locations }: Pick<LedgerSite, 'generation' | 'locations'>,
): void {
  const { site } = ledger.self;
  if (site !== null) ledger.hear({ ...site, generation, locations });
}

/** What is known here and not to one who has this ledger at that site. */
function newsFor(ledger: LocalLedger, site: LedgerSite) {
  const known = ledger.self.site;
  const isNewer = known !== null && known.generation > site.generation;
  return {
    ...endedIn(ledger),
    ...(isNewer ? { news: { generation: known.generation, locations: known.locations } } : {}),
  };
}

function endedIn({ self: { ended } }: LocalLedger): { readonly ended?: readonly string[] } {
  return ended.length === 0 ? {} : { ended };
}

function keysOnly(customer: string, keys: readonly KeyRecord[]): CustomerRecords {
  return { customer, cells: [], marks: [], keys };
}
