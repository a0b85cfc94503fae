/**
 * The organisation as the console's shell shows it: name, plan, the reason why access checks are blocked, what its subscription
 * needs, and when it will be deleted.
 */
import { eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { BILLING_PLAN_NAMES, type organisationSummarySchema } from '#contracts/console/organisations';
import { billingNoticeOf } from '#engine/usage/billing-notice';
import { activeBlockReason } from '#engine/usage/block-reason';
import { MONTHLY_ALLOWANCES } from '#engine/usage/usage-level';
import type { Db } from '#worker/db/database';
import { organisationBilling } from '#worker/db/schema/billing';
import { organization } from '#worker/db/schema/organisations';
import { notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext, Scope } from '#worker/http/request-context';
import { findScheduledDeletion } from './find-scheduled-deletion.ts';

/** @throws {ApiError} not-found */
export async function summariseOrganisation(
  { db, now }: RequestContext,
  scope: MemberScope,
): Promise<z.output<typeof organisationSummarySchema>> {
  const [row, deletion] = await Promise.all([getRow(db, scope), findScheduledDeletion(db, scope)]);
  return {
    id: row.id,
    name: row.name,
    plan: row.plan,
    planDisplayName: BILLING_PLAN_NAMES[row.plan],
    hasCustomerId: row.customerId !== null,
    quickstartStatus: row.quickstartStatus,
    quickstartIdIntegrationSkipped: row.quickstartIdIntegrationSkipped,
    visibleTotalMonthlyRequestLimit: MONTHLY_ALLOWANCES[row.plan],
    blockReason: activeBlockReason(row.blockReason, row.blockedMonthAt, now),
    billingNotice: billingNoticeOf(row, now),
    deletion,
    limitOrder: row.limitOrder,
    zone: row.zone,
    userPermissions: [...scope.permissions],
  };
}

async function getRow(db: Db, { orgId }: Scope) {
  const [found] = await db
    .select({
      id: organization.id,
      name: organization.name,
      plan: organization.plan,
      customerId: organization.activeStripeCustomerId,
      subscriptionId: organization.activeStripeSubscriptionId,
      quickstartStatus: organization.quickstartStatus,
      quickstartIdIntegrationSkipped: organization.quickstartIdIntegrationSkipped,
      blockReason: organization.blockReason,
      limitOrder: organization.limitOrder,
      zone: organization.zone,
      blockedMonthAt: organisationBilling.blockedMonthAt,
      subscriptionStatus: organisationBilling.subscriptionStatus,
      pastDueSince: organisationBilling.pastDueSince,
      currentPeriodEndAt: organisationBilling.currentPeriodEndAt,
      cancelAtPeriodEnd: sql<boolean>`ifnull(${organisationBilling.cancelAtPeriodEnd}, FALSE)`.mapWith(
        Boolean,
      ),
      fellAt: organisationBilling.fellAt,
      graceUntil: organisationBilling.graceUntil,
    })
    .from(organization)
    .leftJoin(organisationBilling, eq(organisationBilling.orgId, organization.id))
    .where(eq(organization.id, orgId));
  if (found === undefined) throw notFound('The organisation');
  return found;
}
