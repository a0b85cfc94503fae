/**
 * The lists of meters that checks read. Most are short, and part of each call's text. A long one is sent once and named by its hash from
 * then on: a ledger object that does not know the hash asks for the list. Limits are left out, so that plans which differ in nothing
 * else read one list, but those of meters that roll over.
 */
import type { LedgerRead } from '#contracts/internal/ledger';
import { BoundedCache } from '#engine/cache/bounded-cache';
import { sha256Hex } from '#runtime/hash';

/** Characters of a list that is sent with each call: some thirty meters. */
const SHORT = 4_000;
/** Approximate memory of one generation of each cache, for all environments of an isolate. */
const MAX_BYTES = 2 * 1024 * 1024;
const BYTES_PER_LIST = 200;
const BYTES_PER_READ = 40;
/** A parsed read has a window of its own, and an id. */
const BYTES_PER_PARSED_READ = 160;

interface SentList {
  /** Null if it is long. */
  readonly text: string | null;
  /** Null until a long one is sent. */
  hash: string | null;
}

const sent = new BoundedCache<readonly LedgerRead[], SentList>(
  MAX_BYTES,
  (reads, { text }) => BYTES_PER_LIST + reads.length * BYTES_PER_READ + (text?.length ?? 0),
);

/** JSON of the list. */
export function listTextOf(reads: readonly LedgerRead[]): string {
  return JSON.stringify(
    reads.map(({ propertyId, meter, seat }) => {
      const { periodType, periodCount, periodLength, anchorAt, trialEndAt, uniqueResourceIds } = meter;
      const { rollover, limit, zone } = meter;
      const anchor = { anchorAt, trialEndAt, zone, ...(rollover && { rollover, limit }) };
      const window = { periodType, periodCount, periodLength, ...anchor, uniqueResourceIds };
      return { propertyId, meter: window, seat };
    }),
  );
}

/** The text of a short list, made once; null if it is long. */
export function shortTextOf(reads: readonly LedgerRead[]): string | null {
  return reads.length === 0 ? '[]' : sentListOf(reads).text;
}

/** The hash that names a long list, made once. */
export async function listHashOf(reads: readonly LedgerRead[]): Promise<string> {
  const list = sentListOf(reads);
  list.hash ??= await sha256Hex(listTextOf(reads));
  return list.hash;
}

function sentListOf(reads: readonly LedgerRead[]): SentList {
  let list = sent.get(reads);
  if (list === undefined) {
    const text = listTextOf(reads);
    list = { text: text.length > SHORT ? null : text, hash: null };
    sent.set(reads, list);
  }
  return list;
}

/** Those that ledger objects were sent, by hash: of all objects in the isolate, which mostly read the same. */
const known = new BoundedCache<string, readonly LedgerRead[]>(
  MAX_BYTES,
  (_hash, reads) => BYTES_PER_LIST + reads.length * BYTES_PER_PARSED_READ,
);

/** @param reads the list, if the caller sent it @returns null: the caller must send it */
export function knownList(
  hash: string,
  reads: readonly LedgerRead[] | undefined,
): readonly LedgerRead[] | null {
  if (reads === undefined) return known.get(hash) ?? null;
  known.set(hash, reads);
  return reads;
}
