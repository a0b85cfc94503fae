/** The block of an organisation whose allowance is used up, as statements; replicas learn of it by the same commit. */

import { MONTHLY_ALLOWANCES } from '#engine/usage/usage-standing';
import { auditRow } from '#worker/db/audit';
import type { Statement } from '#worker/db/database';
import type { WorkContext } from '#worker/http/request-context';
import { changeBilling, changeOrganisationBilling } from './billing-store.ts';

const numbers = new Intl.NumberFormat('en-GB');

/** What everybody is told who is refused: people in the console, and the organisation's own applications. */
export const USAGE_BLOCK_REASON = `This month’s ${numbers.format(MONTHLY_ALLOWANCES.build ?? 0)} API calls of the Build plan are used up`;

type Context = Pick<WorkContext, 'db' | 'now' | 'newId'>;

/** @param monthAt start of the month whose allowance is used up */
export function blockStatements(ctx: Context, orgId: string, monthAt: number): Statement[] {
  return [
    changeOrganisationBilling(ctx.db, orgId, { blockReason: USAGE_BLOCK_REASON }),
    changeBilling(ctx.db, orgId, { blockedMonthAt: monthAt }),
    auditRow(ctx, {
      orgId,
      actorUserId: null,
      action: 'billing.usage-blocked',
      targetId: orgId,
      detail: { monthAt },
    }),
  ];
}

export function unblockStatements(
  ctx: Context,
  orgId: string,
  because: 'upgraded' | 'month-began' | 'lifted-by-staff',
  actorUserId: string | null = null,
): Statement[] {
  return [
    changeOrganisationBilling(ctx.db, orgId, { blockReason: null }),
    changeBilling(ctx.db, orgId, { blockedMonthAt: null }),
    auditRow(ctx, {
      orgId,
      actorUserId,
      action: 'billing.usage-unblocked',
      targetId: orgId,
      detail: { because },
    }),
  ];
}
