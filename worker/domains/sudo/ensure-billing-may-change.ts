/**
 * What staff may set of an organisation's subscription to Tessera. An organisation with another's Stripe customer could open its
 * billing portal, so IDs that belong elsewhere are refused; and nobody gives a paid plan to an organisation of their own, unless
 * there is nobody else to do it. Refusals are audited in both organisations.
 */
import { and, eq, exists, ne, or, sql } from 'drizzle-orm';
import type { SudoOrganisationSummary } from '#contracts/console/sudo';
import type { Db } from '#worker/db/database';
import { isOpenInvitation } from '#worker/db/open-invitation';
import { user } from '#worker/db/schema/auth';
import { invitation, member, organization } from '#worker/db/schema/organisations';
import { readStripeOwners } from '#worker/domains/billing/read-stripe-owners';
import { ApiError, duplicate } from '#worker/http/api-error';
import type { Caller, RequestContext, Scope } from '#worker/http/request-context';
import { change } from '#worker/queue/change';

const FIELDS = ['plan', 'activeStripeCustomerId', 'activeStripeSubscriptionId'] as const;

type Field = (typeof FIELDS)[number];
export type BillingChanges = Partial<Pick<SudoOrganisationSummary, Field>>;

interface StaffScope extends Scope {
  readonly actor: Caller;
}

/**
 * @returns whether it is a change of the caller's own organisation, which its owners are told about
 * @throws {ApiError} forbidden; conflict or invalid-request naming the ID; unavailable if Stripe cannot be asked whose an ID is
 */
export async function ensureBillingMayChange(
  ctx: RequestContext,
  scope: StaffScope,
  before: SudoOrganisationSummary,
  changes: BillingChanges,
): Promise<boolean> {
  const isChanged = (field: Field) => changes[field] !== undefined && changes[field] !== before[field];
  if (!FIELDS.some(isChanged)) return false;
  const isOwn = await belongsTo(ctx, scope);
  if (isOwn && (await hasOtherStaff(ctx.db, scope.actor))) {
    await auditRefusal(ctx, scope, FIELDS.filter(isChanged), []);
    throw new ApiError(
      'forbidden',
      'You belong to this organisation. Another member of staff can change its plan and payment IDs.',
    );
  }
  if (isChanged('activeStripeCustomerId')) {
    await ensureIsFree(ctx, scope, 'activeStripeCustomerId', changes.activeStripeCustomerId ?? null);
  }
  if (isChanged('activeStripeSubscriptionId')) {
    await ensureIsFree(ctx, scope, 'activeStripeSubscriptionId', changes.activeStripeSubscriptionId ?? null);
  }
  return isOwn;
}

/** SQL condition on `organization`: no other one has these IDs, where they change it. Checked again when they are written. */
export function noOtherHas({
  activeStripeCustomerId = null,
  activeStripeSubscriptionId = null,
}: BillingChanges) {
  const { id, activeStripeCustomerId: customerId, activeStripeSubscriptionId: subscriptionId } = organization;
  return sql`NOT EXISTS (SELECT 1 FROM ${organization} AS other WHERE other.id <> ${id}
    AND (other.active_stripe_customer_id = nullif(${activeStripeCustomerId}, ${customerId})
      OR other.active_stripe_subscription_id = nullif(${activeStripeSubscriptionId}, ${subscriptionId})))`;
}

async function ensureIsFree(
  ctx: RequestContext,
  scope: StaffScope,
  field: Exclude<Field, 'plan'>,
  id: string | null,
): Promise<void> {
  if (id === null) return;
  const { customerIds, orgIds } = await readStripeOwners(ctx, field, id);
  const holders = await ctx.db
    .select({ id: organization.id })
    .from(organization)
    .where(
      and(
        ne(organization.id, scope.orgId),
        or(
          eq(organization.activeStripeSubscriptionId, id),
          ...customerIds.map((customerId) => eq(organization.activeStripeCustomerId, customerId)),
        ),
      ),
    );
  const others = new Set([...holders.map((holder) => holder.id), ...orgIds]);
  others.delete(scope.orgId);
  if (others.size === 0) return;
  await auditRefusal(ctx, scope, [field], [...others]);
  throw duplicate(field, 'This ID belongs to another organisation');
}

/** As a member, or soon: an invitation is open. */
async function belongsTo({ db, now }: RequestContext, { orgId, actor }: StaffScope): Promise<boolean> {
  const one = { one: sql`1` };
  const isMember = db
    .select(one)
    .from(member)
    .where(and(eq(member.organizationId, orgId), eq(member.userId, actor.userId)));
  const isInvited = db
    .select(one)
    .from(invitation)
    .where(
      and(
        eq(invitation.organizationId, orgId),
        eq(invitation.email, actor.email.toLowerCase()),
        isOpenInvitation(now),
      ),
    );
  const [found] = await db
    .select({ id: organization.id })
    .from(organization)
    .where(and(eq(organization.id, orgId), or(exists(isMember), exists(isInvited))));
  return found !== undefined;
}

/** Disabled staff count: otherwise staff could disable each other first. */
async function hasOtherStaff(db: Db, { userId }: Caller): Promise<boolean> {
  return (await db.$count(user, and(eq(user.sudo, true), ne(user.id, userId)))) > 0;
}

/** @param others organisations that the IDs belong to; one that no longer exists gets no row */
async function auditRefusal(
  ctx: RequestContext,
  scope: StaffScope,
  fields: readonly Field[],
  others: readonly string[],
): Promise<void> {
  await change(ctx, scope, {
    write: [],
    audit: [scope.orgId, ...others].map((each) => ({
      orgId: each,
      action: 'sudo.organisation-change-refused',
      targetId: each,
      detail: { fields },
      onlyIf: sql`EXISTS (SELECT 1 FROM ${organization} WHERE ${organization.id} = ${each})`,
    })),
    publish: [],
  });
}
