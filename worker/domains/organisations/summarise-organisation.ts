/** What the shell shows of an organisation: its name, its plan, and whether its access checks are refused. */
import type { z } from 'zod';
import type { BillingPlan, organisationSummarySchema } from '#contracts/organisations';
import type { Permission } from '#contracts/permissions';
import { MONTHLY_ALLOWANCES } from '#engine/usage/usage-standing';
import type { OrganisationRow } from './organisation-store.ts';

const DISPLAY_NAMES: Readonly<Record<BillingPlan, string>> = { build: 'Build', grow: 'Grow' };

export function planDisplayName(plan: BillingPlan): string {
  return DISPLAY_NAMES[plan];
}

export function summariseOrganisation(
  row: OrganisationRow,
  userPermissions: readonly Permission[],
): z.output<typeof organisationSummarySchema> {
  return {
    id: row.id,
    name: row.name,
    plan: row.plan,
    planDisplayName: planDisplayName(row.plan),
    hasCustomerId: row.activeStripeCustomerId !== null,
    quickstartStatus: row.quickstartStatus,
    visibleTotalMonthlyRequestLimit: MONTHLY_ALLOWANCES[row.plan],
    blockReason: row.blockReason,
    userPermissions: [...userPermissions],
  };
}
