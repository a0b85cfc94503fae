/**
 * Receipts make a change under an idempotency key happen once: committed with the change, they undo a second one, and are
 * answered with instead. As for counter updates, a key counts for a customer of an environment and for 24 hours.
 */
import { and, eq, gt, sql } from 'drizzle-orm';
import type { ChangeMade, CustomerChange } from '#contracts/public/customers';
import { DAY_MS } from '#engine/durations';
import { sha256Hex } from '#runtime/hash';
import { isUniqueViolation, type Statement } from '#worker/db/database';
import { provisioningReceipt } from '#worker/db/schema/customers';
import { ApiError } from '#worker/http/api-error';
import type { Provisioning } from './open-provisioning.ts';

/** Expired receipts that each new one deletes: more than one, so that they become fewer. */
const MAX_FORGOTTEN = 20;

/** Null: the ledger has the answer, under the same key. */
export type Receipt = Pick<ChangeMade, 'customer' | 'changed'> | null;

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
  const message = 'Was used for a different request of this customer';
  throw new ApiError('conflict', 'The idempotencyKey was used for a different request of this customer', {
    issues: [{ path: 'idempotencyKey', message }],
  });
}

/** To be committed with the change. */
export function receiptStatements(
  { ctx: { db, now }, scope: { orgId }, environmentId }: Provisioning,
  { customer, key, hash }: KeyedRequest,
  answer: Receipt,
): Statement[] {
  const expired = sql`created_at <= ${now - DAY_MS}`;
  return [
    db.delete(provisioningReceipt).where(
      sql`rowid IN (SELECT rowid FROM ${provisioningReceipt} WHERE ${expired} ORDER BY created_at LIMIT ${MAX_FORGOTTEN})
          OR (environment_id = ${environmentId} AND customer = ${customer} AND key = ${key} AND ${expired})`,
    ),
    db
      .insert(provisioningReceipt)
      .values({ environmentId, customer, key, orgId, requestHash: hash, answer, createdAt: now }),
  ];
}

/** Whether a change was undone because another request under its key was faster. */
export function isReceiptTaken(error: unknown): boolean {
  return isUniqueViolation(error, 'provisioning_receipt');
}
