/**
 * The organisation as the console's shell shows it: name, plan, the reason why access checks are blocked, and when it will be
 * deleted.
 */
import type { z } from 'zod';
import { BILLING_PLAN_NAMES, type organisationSummarySchema } from '#contracts/console/organisations';
import { MONTHLY_ALLOWANCES } from '#engine/usage/usage-level';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { findScheduledDeletion } from './find-scheduled-deletion.ts';
import { getOrganisation } from './organisation-store.ts';

/** @throws {ApiError} not-found */
export async function summariseOrganisation(
  { db }: RequestContext,
  scope: MemberScope,
): Promise<z.output<typeof organisationSummarySchema>> {
  const [row, deletion] = await Promise.all([getOrganisation(db, scope), findScheduledDeletion(db, scope)]);
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
    deletion,
    userPermissions: [...scope.permissions],
  };
}
