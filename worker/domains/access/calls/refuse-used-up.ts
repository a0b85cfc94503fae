/**
 * Refuses calls of an organisation that has used up its monthly allowance: public keys at their share of it, secret keys last.
 * See worker/domains/billing/README.md, "Billing".
 */
import type { CodeOf } from '#contracts/public/refusals';
import { activeBlockReason } from '#engine/usage/block-reason';
import { isPastMonth, nextMonthOf } from '#engine/usage/calendar';
import { MONTHLY_ALLOWANCES } from '#engine/usage/usage-level';
import { Refusal } from '#worker/http/api-error';
import type { Authenticated } from './authenticate-key.ts';
import { refusedHeaders } from './rate-limit-headers.ts';

/** Only a plan with an allowance is ever refused, and there is one. */
const ALLOWANCE = MONTHLY_ALLOWANCES.build ?? 0;

/** @throws {ApiError} usage-blocked, until the month ends or the block is lifted */
export function refuseUsedUp({ loaded, key }: Authenticated, now: number): void {
  const { block, usedShare } = loaded.snapshot;
  const blockReason = block === null ? null : activeBlockReason(block.reason, block.monthAt, now);
  if (blockReason !== null) throw usageBlocked('allowance-used-up', blockReason, ALLOWANCE, now);
  const share = key.allowanceShare;
  if (share === null || !usedShare || usedShare.percent < share) return;
  if (isPastMonth(usedShare.monthAt, now)) return;
  const reason = `This public key reached its share, ${share}% of the organisation’s monthly API calls. Secret keys still work.`;
  throw usageBlocked('key-share-used-up', reason, (ALLOWANCE * share) / 100, now);
}

function usageBlocked(code: CodeOf<'usage-blocked'>, reason: string, limit: number, now: number): Refusal {
  const resetsInS = Math.max(1, Math.ceil((nextMonthOf(now) - now) / 1000));
  return new Refusal('usage-blocked', code, reason, { headers: refusedHeaders(limit, resetsInS) });
}
