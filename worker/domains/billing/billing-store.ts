/** Reads an organisation's subscription state, and builds the statements that change it. */
import { eq, sql } from 'drizzle-orm';
import type { SubscriptionStatus } from '#contracts/console/billing';
import type { BillingPlan } from '#contracts/console/organisations';
import type { Db, Statement } from '#worker/db/database';
import { organisationBilling } from '#worker/db/schema/billing';
import { organization } from '#worker/db/schema/organisations';

export interface BillingRow {
  readonly orgId: string;
  readonly name: string;
  readonly plan: BillingPlan;
  readonly customerId: string | null;
  readonly subscriptionId: string | null;
  readonly blockReason: string | null;
  readonly revision: number;
  readonly subscriptionStatus: SubscriptionStatus | null;
  readonly pastDueSince: number | null;
  readonly currentPeriodStartAt: number | null;
  readonly currentPeriodEndAt: number | null;
  readonly cancelAtPeriodEnd: boolean;
  readonly checkoutSessionId: string | null;
  readonly billedCalls: number;
  readonly countedHourAt: number | null;
  readonly blockedMonthAt: number | null;
  readonly waivedMonthAt: number | null;
  readonly usedMonthAt: number | null;
  readonly usedPercent: number | null;
  readonly fellAt: number | null;
  readonly graceUntil: number | null;
  readonly notice: string | null;
}

/** @returns null without such an organisation */
export async function findBilling(db: Db, orgId: string): Promise<BillingRow | null> {
  const row = await db
    .select({
      orgId: organization.id,
      name: organization.name,
      plan: organization.plan,
      customerId: organization.activeStripeCustomerId,
      subscriptionId: organization.activeStripeSubscriptionId,
      blockReason: organization.blockReason,
      revision: organisationBilling.revision,
      subscriptionStatus: organisationBilling.subscriptionStatus,
      pastDueSince: organisationBilling.pastDueSince,
      currentPeriodStartAt: organisationBilling.currentPeriodStartAt,
      currentPeriodEndAt: organisationBilling.currentPeriodEndAt,
      cancelAtPeriodEnd: organisationBilling.cancelAtPeriodEnd,
      checkoutSessionId: organisationBilling.checkoutSessionId,
      billedCalls: organisationBilling.billedCalls,
      countedHourAt: organisationBilling.countedHourAt,
      blockedMonthAt: organisationBilling.blockedMonthAt,
      waivedMonthAt: organisationBilling.waivedMonthAt,
      usedMonthAt: organisationBilling.usedMonthAt,
      usedPercent: organisationBilling.usedPercent,
      fellAt: organisationBilling.fellAt,
      graceUntil: organisationBilling.graceUntil,
      notice: organisationBilling.notice,
    })
    .from(organization)
    .leftJoin(organisationBilling, eq(organisationBilling.orgId, organization.id))
    .where(eq(organization.id, orgId))
    .get();
  if (row === undefined) return null;
  const { revision, cancelAtPeriodEnd, billedCalls, ...rest } = row;
  return {
    ...rest,
    revision: revision ?? 0,
    cancelAtPeriodEnd: cancelAtPeriodEnd ?? false,
    billedCalls: billedCalls ?? 0,
  };
}

export type BillingChange = Partial<Omit<typeof organisationBilling.$inferInsert, 'orgId' | 'revision'>>;

/** Inserts the row if the organisation has none. */
export function changeBilling(db: Db, orgId: string, change: BillingChange): Statement {
  return db
    .insert(organisationBilling)
    .values({ orgId, revision: 1, ...change })
    .onConflictDoUpdate({
      target: organisationBilling.orgId,
      set: { ...change, revision: sql`${organisationBilling.revision} + 1` },
    });
}

/** Condition: the subscription state has not changed since it was read. */
export function isRevision({ orgId, revision }: Pick<BillingRow, 'orgId' | 'revision'>) {
  return sql`ifnull((SELECT revision FROM ${organisationBilling} WHERE org_id = ${orgId}), 0) = ${revision}`;
}

/** Condition: the organisation is on that plan. */
export function isOnPlan(orgId: string, plan: BillingPlan) {
  return sql`(SELECT plan FROM ${organization} WHERE id = ${orgId}) = ${plan}`;
}

export type OrganisationBillingChange = Partial<
  Pick<
    typeof organization.$inferInsert,
    'plan' | 'activeStripeCustomerId' | 'activeStripeSubscriptionId' | 'blockReason'
  >
>;

/** Changes the billing columns of the organisation's row. Members edit that row too; `updatedAt` stays, so their edits do not conflict. */
export function changeOrganisationBilling(
  db: Db,
  orgId: string,
  change: OrganisationBillingChange,
): Statement {
  return db.update(organization).set(change).where(eq(organization.id, orgId));
}
