/** How an organisation's usage block is set and lifted. The caller commits it together with what publishes the block to replicas. */
import type { AuditEntry } from '#worker/db/audit';
import type { Db, Statement } from '#worker/db/database';
import type { Scope } from '#worker/http/request-context';
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

/** What `change` writes and audits. */
interface BlockChange {
  readonly write: readonly Statement[];
  readonly audit: AuditEntry;
}

/** @param monthAt start of the month */
export function blockUsage(db: Db, { orgId }: Scope, monthAt: number): BlockChange {
  return {
    write: [
      changeOrganisationBilling(db, orgId, { blockReason: USAGE_BLOCK_REASON }),
      changeBilling(db, orgId, { blockedMonthAt: monthAt }),
    ],
    audit: { action: 'billing.usage-blocked', targetId: orgId, detail: { monthAt } },
  };
}

/** A used share is stored with its month, too. The new month's remains: the event stream reports each share once. */
export function unblockUsage(
  db: Db,
  { orgId }: Scope,
  because: 'upgraded' | 'month-began' | 'lifted-by-staff',
): BlockChange {
  const share = because === 'month-began' ? {} : { usedMonthAt: null, usedPercent: null };
  return {
    write: [
      changeOrganisationBilling(db, orgId, { blockReason: null }),
      changeBilling(db, orgId, { blockedMonthAt: null, ...share }),
    ],
    audit: { action: 'billing.usage-unblocked', targetId: orgId, detail: { because } },
  };
}
