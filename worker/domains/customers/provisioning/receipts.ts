/**
 * Receipts make a change under an idempotency key happen once: committed with the change, they undo a second one, and are
 * answered with instead. As for counter updates, a key counts for a customer of an environment and for 24 hours.
 */

import { and, eq, gt, lte, sql } from 'drizzle-orm';
import type { ChangeMade, CustomerChange } from '#contracts/public/customers';
import { keyReused } from '#engine/access/idempotency-key';
import { DAY_MS } from '#engine/durations';
import { sha256Hex } from '#runtime/hash';
import { isUniqueViolation, type Statement } from '#worker/db/database';
import { limitTo } from '#worker/db/limit-to';
import { provisioningReceipt } from '#worker/db/schema/customers';
import type { WorkContext } from '#worker/http/request-context';
import type { Provisioning } from './open-provisioning.ts';

/** Expired receipts that one statement deletes, and statements of a run. */
const MAX_FORGOTTEN = 2_000;
const MAX_ROUNDS = 10;

/** Null: the ledger has the answer, under the same key. */
export type Receipt = Omit<ChangeMade, 'replayed'> | null;

export interface KeyedRequest {
  /** Canonical. */
  readonly customer: string;
  readonly key: string;
  readonly hash: string;
}

export async function keyedRequest(
  { idempotencyKey: key, ...request }: CustomerChange,
  customer: string,
): Promise<KeyedRequest | null> {
  if (key === undefined) return null;
  return { customer, key, hash: await sha256Hex(JSON.stringify({ ...request, customer })) };
}

/** @returns undefined without one @throws {ApiError} conflict if it is of another request */
export async function findReceipt(
  { ctx: { db, now }, environmentId }: Provisioning,
  { customer, key, hash }: KeyedRequest,
): Promise<Receipt | undefined> {
  const [row] = await db
    .select()
    .from(provisioningReceipt)
    .where(
      and(
        eq(provisioningReceipt.environmentId, environmentId),
        eq(provisioningReceipt.customer, customer),
        eq(provisioningReceipt.key, key),
        gt(provisioningReceipt.createdAt, now - DAY_MS),
      ),
    );
  if (row === undefined) return undefined;
  if (row.requestHash === hash) return row.answer as Receipt;
  throw keyReused('idempotencyKey');
}

/** To be committed with the change. */
export function receiptStatements(
  { ctx: { db, now }, scope: { orgId }, environmentId }: Provisioning,
  { customer, key, hash }: KeyedRequest,
  answer: Receipt,
): Statement[] {
  return [
    // The key's own, which the schedule has not deleted yet.
    db
      .delete(provisioningReceipt)
      .where(
        and(
          eq(provisioningReceipt.environmentId, environmentId),
          eq(provisioningReceipt.customer, customer),
          eq(provisioningReceipt.key, key),
          isExpired(now),
        ),
      ),
    db
      .insert(provisioningReceipt)
      .values({ environmentId, customer, key, orgId, requestHash: hash, answer, createdAt: now }),
  ];
}

const isExpired = (now: number) => lte(provisioningReceipt.createdAt, now - DAY_MS);

/** A part of the schedule. */
export async function forgetReceipts({ db, now }: Pick<WorkContext, 'db' | 'now'>): Promise<void> {
  const expired = sql`SELECT rowid FROM ${provisioningReceipt} WHERE ${isExpired(now)} ${limitTo(MAX_FORGOTTEN)}`;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { meta } = await db.delete(provisioningReceipt).where(sql`rowid IN (${expired})`);
    if (meta.changes < MAX_FORGOTTEN) return;
  }
}

/** Whether a change was undone because another request under its key was faster. */
export function isReceiptTaken(error: unknown): boolean {
  return isUniqueViolation(error, 'provisioning_receipt');
}
