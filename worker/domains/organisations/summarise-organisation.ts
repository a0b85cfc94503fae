/** The organisation as the console's shell shows it: name, plan, and the reason why access checks are blocked. */
import type { z } from 'zod';
import { BILLING_PLAN_NAMES, type organisationSummarySchema } from '#contracts/console/organisations';
import type { Permission } from '#contracts/public/endpoint';
import { MONTHLY_ALLOWANCES } from '#engine/usage/usage-level';
import type { OrganisationRow } from './organisation-store.ts';

export function summariseOrganisation(
  row: OrganisationRow,
  userPermissions: readonly Permission[],
): z.output<typeof organisationSummarySchema> {
  return {
    id: row.id,
    name: row.name,
    plan: row.plan,
    planDisplayName: BILLING_PLAN_NAMES[row.plan],
    hasCustomerId: row.activeStripeCustomerId !== null,
    quickstartStatus: row.quickstartStatus,
    quickstartIdIntegrationSkipped: row.quickstartIdIntegrationSkipped,
    visibleTotalMonthlyRequestLimit: MONTHLY_ALLOWANCES[row.plan],
    blockReason: row.blockReason,
    userPermissions: [...userPermissions],
  };
}
