/**
 * Statements that set and lift an organisation's usage block. The caller commits them together with the message that
 * publishes the block to replicas.
 */

import { auditRow } from '#worker/db/audit';
import type { Statement } from '#worker/db/database';
import type { ActorScope, WorkContext } from '#worker/http/request-context';
import { changeBilling, changeOrganisationBilling } from './billing-store.ts';

/** Shown in the console, and returned to blocked API calls. */
export const USAGE_BLOCK_REASON = 'The organisation reached its monthly allowance of API calls';

/** This reason, and its earlier wording in blocks that are already stored. */
const USAGE_BLOCK_REASONS: readonly (string | null)[] = [
  USAGE_BLOCK_REASON,
  'This month’s 100,000 API calls of the Build plan are used up',
];

/** A block's reason in a word, for lists of organisations: 'usage'. Staff may have stored another reason, which is kept. */
export function shortBlockReason(reason: string | null): string | null {
  return USAGE_BLOCK_REASONS.includes(reason) ? 'usage' : reason;
}

type Context = Pick<WorkContext, 'db' | 'now' | 'newId'>;

/** @param monthAt start of the month */
export function blockStatements(ctx: Context, orgId: string, monthAt: number): Statement[] {
  const scope: ActorScope = { orgId, actor: null };
  return [
    changeOrganisationBilling(ctx.db, orgId, { blockReason: USAGE_BLOCK_REASON }),
    changeBilling(ctx.db, orgId, { blockedMonthAt: monthAt }),
    auditRow(ctx, scope, {
      action: 'billing.usage-blocked',
      targetId: orgId,
      detail: { monthAt },
    }),
  ];
}

/** A used share is stored with its month, too. The new month's remains: the event stream reports each share once. */
export function unblockStatements(
  ctx: Context,
  scope: ActorScope,
  because: 'upgraded' | 'month-began' | 'lifted-by-staff',
): Statement[] {
  const { orgId } = scope;
  const share = because === 'month-began' ? {} : { usedMonthAt: null, usedPercent: null };
  return [
    changeOrganisationBilling(ctx.db, orgId, { blockReason: null }),
    changeBilling(ctx.db, orgId, { blockedMonthAt: null, ...share }),
    auditRow(ctx, scope, {
      action: 'billing.usage-unblocked',
      targetId: orgId,
      detail: { because },
    }),
  ];
}
