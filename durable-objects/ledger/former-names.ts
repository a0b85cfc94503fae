/**
 * Reads records in the field names of earlier versions: from storage, and from ledgers that still run such a version
 * while a deployment is under way. Earlier versions called buckets `cells`, uses of resources `marks`, conflicts `rivals` and
 * retired incarnations `ended`. New names are written everywhere; a ledger that cannot read them fails and is retried.
 */
import type {
  CustomerRecords,
  KeyRecord,
  LedgerCopyPage,
  Regions,
  ReplicationAck,
  ReplicationBatch,
} from '#contracts/internal/ledger';
import type { StoredPeer } from './ledger-store.ts';

export type KeyBody = Omit<KeyRecord, 'version'>;

interface FormerKey {
  readonly isTakenBack?: boolean;
  readonly marked?: KeyRecord['holdChange'];
}

interface FormerRecords {
  readonly linkedTo?: string;
  readonly cells?: CustomerRecords['buckets'];
  readonly marks?: CustomerRecords['holds'];
}

interface FormerMessage {
  readonly ended?: readonly string[];
  readonly news?: Regions;
  readonly handedOver?: number | null;
}

/** The body of a stored idempotency key. */
export function readKeyBody(stored: KeyBody & FormerKey): KeyBody {
  if (stored.isTakenBack === undefined) return stored;
  const { isTakenBack, marked = null, ...key } = stored;
  return { ...key, isReverted: isTakenBack, holdChange: marked };
}

export function readPeer({ handedOver, ...peer }: StoredPeer & { readonly handedOver?: number }): StoredPeer {
  return handedOver === undefined ? peer : { ...peer, handoffCursor: handedOver };
}

export function readKey(key: KeyRecord): KeyRecord {
  return { ...readKeyBody(key), version: key.version };
}

export function readRecords(given: CustomerRecords & FormerRecords): CustomerRecords {
  const { customer, aliasOf, linkedTo, cells, marks, keys } = given;
  if (cells === undefined) return given;
  const target = aliasOf ?? linkedTo;
  return {
    customer,
    ...(target === undefined ? {} : { aliasOf: target }),
    buckets: cells,
    holds: marks ?? [],
    keys: keys.map(readKey),
  };
}

export function readBatch({
  ended,
  handedOver,
  ...batch
}: ReplicationBatch & FormerMessage): ReplicationBatch {
  const { retired = ended, handoffCursor = handedOver ?? null } = batch;
  return {
    ...batch,
    ...(retired === undefined ? {} : { retired }),
    handoffCursor,
    customers: batch.customers.map(readRecords),
  };
}

export function readAck(ack: ReplicationAck): ReplicationAck {
  if (ack.kind !== 'taken') return ack;
  const { rivals, ended, news, ...given } = ack as typeof ack &
    FormerMessage & { readonly rivals?: readonly CustomerRecords[] };
  const { retired = ended, newerSite = news } = given;
  return {
    ...given,
    ...(retired === undefined ? {} : { retired }),
    ...(newerSite === undefined ? {} : { newerSite }),
    conflicts: (given.conflicts ?? rivals ?? []).map(readRecords),
  };
}

export function readCopyPage({ ended, news, ...page }: LedgerCopyPage & FormerMessage): LedgerCopyPage {
  const { retired = ended, newerSite = news } = page;
  return {
    ...page,
    ...(retired === undefined ? {} : { retired }),
    ...(newerSite === undefined ? {} : { newerSite }),
    records: readRecords(page.records),
  };
}
