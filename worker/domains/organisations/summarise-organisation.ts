/** What the shell shows of an organisation: its name, its plan, and whether its access checks are refused. */
import type { z } from 'zod';
import type { BillingPlan, organisationSummarySchema } from '#contracts/organisations';
import type { Permission } from '#contracts/permissions';
import type { OrganisationRow } from './organisation-store.ts';

/** Spec, console shell, section 9. Null: no limit. */
const PLANS: Readonly<Record<BillingPlan, { displayName: string; monthlyRequestLimit: number | null }>> = {
  build: { displayName: 'Build', monthlyRequestLimit: 100_000 },
  grow: { displayName: 'Grow', monthlyRequestLimit: null },
};

export function planDisplayName(plan: BillingPlan): string {
  return PLANS[plan].displayName;
}

export function summariseOrganisation(
  row: OrganisationRow,
  userPermissions: readonly Permission[],
): z.output<typeof organisationSummarySchema> {
  const plan = PLANS[row.plan];
  return {
    id: row.id,
    name: row.name,
    plan: row.plan,
    planDisplayName: plan.displayName,
    hasCustomerId: row.activeStripeCustomerId !== null,
    quickstartStatus: row.quickstartStatus,
    visibleTotalMonthlyRequestLimit: plan.monthlyRequestLimit,
    blockReason: row.blockReason,
    userPermissions: [...userPermissions],
  };
}
