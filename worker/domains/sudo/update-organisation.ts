/** Updates an organisation's internal fields, for platform staff. The next subscription sync overrides the plan. */
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { SudoOrganisationSummary, updateSudoOrganisationSchema } from '#contracts/console/sudo';
import type { BillingPlanChanged } from '#runtime/messages';
import type { Db, Statement } from '#worker/db/database';
import { organisationBilling } from '#worker/db/schema/billing';
import { organization } from '#worker/db/schema/organisations';
import { recordFall } from '#worker/domains/billing/record-fall';
import { mailOwners } from '#worker/domains/organisations/list-administrators';
import { changedMeanwhile } from '#worker/http/api-error';
import type { Caller, RequestContext, Scope } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { ensureBillingMayChange, noOtherHas } from './ensure-billing-may-change.ts';
import { getSudoOrganisation } from './organisation-search.ts';

interface StaffScope extends Scope {
  readonly actor: Caller;
}

/** @throws {ApiError} not-found; conflict with the current state; as ensureBillingMayChange */
export async function updateSudoOrganisation(
  ctx: RequestContext,
  scope: StaffScope,
  { updatedAt, ...changes }: z.output<typeof updateSudoOrganisationSchema>,
): Promise<SudoOrganisationSummary> {
  const { db, now } = ctx;
  const { orgId } = scope;
  const before = await getSudoOrganisation(db, orgId, now);
  const isOwn = await ensureBillingMayChange(ctx, scope, before, changes);
  const isPlanChange = changes.plan !== undefined && changes.plan !== before.plan;
  const isIt = and(
    eq(organization.id, orgId),
    noOtherHas(changes),
    updatedAt === undefined ? undefined : eq(organization.updatedAt, updatedAt),
    isPlanChange ? eq(organization.plan, before.plan) : undefined,
  );
  const fall = isPlanChange && changes.plan === 'build' ? await recordFall(db, orgId, now) : [];
  const message: BillingPlanChanged = { type: 'billing.plan-changed', outboxId: ctx.newId('out'), orgId };
  await change(ctx, scope, {
    when: {
      isFresh: [
        sql`EXISTS (SELECT 1 FROM ${organization} WHERE ${isIt})`,
        async () => changedMeanwhile('The organisation', await getSudoOrganisation(db, orgId, now)),
      ],
    },
    write: [
      forgetSubscription(db, isIt, changes.activeStripeSubscriptionId),
      ...fall,
      db
        .update(organization)
        .set({ ...changes, updatedAt: sql`max(${now}, ${organization.updatedAt} + 1)` })
        .where(eq(organization.id, orgId)),
    ],
    audit: { action: 'sudo.organisation-changed', targetId: orgId, detail: changes },
    publish: changes.plan === undefined ? [] : [{ messages: [message] }],
  });
  const current = await getSudoOrganisation(db, orgId, now);
  // One's own organisation, changed by its only member of staff: nobody else has seen it.
  if (isOwn) ctx.waitUntil(mailOwners(ctx, scope, mailOf(ctx, scope, current.name)));
  return current;
}

const mailOf = ({ settings }: RequestContext, { orgId, actor }: StaffScope, name: string) => ({
  subject: `Tessera staff changed the plan or payment IDs of ${name}`,
  paragraphs: [
    `${actor.email}, who is platform staff and belongs to ${name}, changed its plan or its Stripe IDs.`,
    'The change is in the audit log.',
  ],
  action: { label: 'Open Plan & Billing', url: `${settings.baseUrl}/o/${orgId}/billing` },
});

/** The stored state is of the previous subscription: the schedule reads that of a new one in its next run. */
function forgetSubscription(db: Db, isIt: SQL | undefined, id: string | null | undefined): Statement {
  const isAnother = sql`${organization.activeStripeSubscriptionId} IS NOT ${id ?? null}`;
  const affected = db
    .select({ id: organization.id })
    .from(organization)
    .where(id === undefined ? sql`FALSE` : and(isIt, isAnother));
  return db
    .update(organisationBilling)
    .set({
      subscriptionStatus: null,
      pastDueSince: null,
      currentPeriodStartAt: null,
      currentPeriodEndAt: null,
      cancelAtPeriodEnd: false,
      followedAt: null,
      revision: sql`${organisationBilling.revision} + 1`,
    })
    .where(inArray(organisationBilling.orgId, affected));
}
