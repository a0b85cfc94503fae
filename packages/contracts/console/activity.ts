/** Who changed what in an organisation: the audit log as members read it, for the whole organisation or for one object. */
import { z } from 'zod';
import { member } from '../public/endpoint.ts';
import { MAX_IDENTIFIER } from '../public/identifiers.ts';
import { givenInstantSchema, instantSchema } from '../public/text.ts';

/** Every action that the audit log can record, in the past tense. Rows of earlier releases may have others. */
export type AuditAction =
  | 'api-key.created'
  | 'api-key.limits-changed'
  | 'api-key.renamed'
  | 'api-key.revealed'
  | 'api-key.revoked'
  | 'billing.checkout-opened'
  | 'billing.plan-changed'
  | 'billing.portal-opened'
  | 'billing.subscription-changed'
  | 'billing.usage-blocked'
  | 'billing.usage-unblocked'
  | 'customer.balance-changed'
  | 'customer.balance-given'
  | 'customer.balance-paid-overage'
  | 'customer.balance-taken-back'
  | 'customer.changed'
  | 'customer.created'
  | 'customer.email-linked'
  | 'customer.entity-deleted'
  | 'customer.joined'
  | 'customer.meter-corrected'
  | 'customer.moved'
  | 'customer.override-removed'
  | 'customer.plan-ended'
  | 'customer.plan-granted'
  | 'customer.plan-withdrawn'
  | 'customer.property-overridden'
  | 'customer.separated'
  | 'environment.changed'
  | 'environment.created'
  | 'environment.deleted'
  | 'feature.changed'
  | 'feature.created'
  | 'feature.deleted'
  | 'integration.webhook-changed'
  | 'integration.webhook-created'
  | 'integration.webhook-deleted'
  | 'integration.webhook-disabled'
  | 'integration.webhook-resent'
  | 'integration.webhook-secret-revealed'
  | 'integration.webhook-secret-rotated'
  | 'integration.webhook-tested'
  | 'invitation.canceled'
  | 'invitation.cleared'
  | 'invitation.created'
  | 'invitation.rejected'
  | 'jwt-integration.created'
  | 'jwt-integration.deleted'
  | 'jwt-integration.keys-refreshed'
  | 'jwt-integration.updated'
  | 'member.disabled'
  | 'member.enabled'
  | 'member.joined'
  | 'member.left'
  | 'member.removed'
  | 'member.role-changed'
  | 'organisation.changed'
  | 'organisation.created'
  | 'organisation.data-locations-changed'
  | 'organisation.deleted'
  | 'organisation.deletion-cancelled'
  | 'organisation.deletion-scheduled'
  | 'organisation.deletion-started'
  | 'plan.changed'
  | 'plan.created'
  | 'plan.deleted'
  | 'plan.products-changed'
  | 'plan.version-created'
  | 'property.changed'
  | 'property.created'
  | 'property.deleted'
  | 'stripe-integration.created'
  | 'stripe-integration.deleted'
  | 'stripe-integration.sync-started'
  | 'stripe-integration.top-up-removed'
  | 'stripe-integration.top-up-set'
  | 'stripe-integration.updated'
  | 'stripe-integration.webhook-added'
  | 'sudo.acted'
  | 'sudo.database-followed'
  | 'sudo.dead-letter-discarded'
  | 'sudo.dead-letter-retried'
  | 'sudo.organisation-change-refused'
  | 'sudo.organisation-changed'
  | 'sudo.user-changed'
  | 'sudo.viewed'
  | 'support-access.ended'
  | 'support-access.granted'
  | 'support-access.reading-changed'
  | 'support-access.requested'
  | 'version.created'
  | 'version.deleted'
  | 'version.deployed'
  | 'version.rolled-back'
  | 'workflow-test.added'
  | 'workflow-test.changed'
  | 'workflow-test.deleted'
  | 'workflow.changed'
  | 'workflow.created'
  | 'workflow.deleted'
  | 'workflow.switched-off'
  | 'workflow.switched-on';

/** What a change is listed under. Properties belong to their feature, tests to their workflow, invitations to the members. */
export const activityKindSchema = z.enum([
  'feature',
  'plan',
  'workflow',
  'environment',
  'version',
  'api-key',
  'customer',
  'integration',
  'member',
  'organisation',
  'billing',
  'support',
]);
export type ActivityKind = z.infer<typeof activityKindSchema>;

/** `api-key` of `api-key.created`. */
export type AuditSubject = AuditAction extends infer Action
  ? Action extends `${infer Subject}.${string}`
    ? Subject
    : never
  : never;

/**
 * The kind of each subject. The column `kind` of the audit log computes it by an expression that is final: a subject that is no kind
 * itself needs a migration that replaces the column.
 */
export const KIND_BY_SUBJECT: Record<AuditSubject, ActivityKind> = {
  'api-key': 'api-key',
  billing: 'billing',
  customer: 'customer',
  environment: 'environment',
  feature: 'feature',
  integration: 'integration',
  invitation: 'member',
  'jwt-integration': 'integration',
  member: 'member',
  organisation: 'organisation',
  plan: 'plan',
  property: 'feature',
  'stripe-integration': 'integration',
  sudo: 'support',
  'support-access': 'support',
  version: 'version',
  workflow: 'workflow',
  'workflow-test': 'workflow',
};

/** `stripe`: an event of Stripe about the organisation's own subscription. `service`: a job of Tessera's. */
export const activityActorSchema = z.object({
  kind: z.enum(['member', 'support', 'key', 'stripe', 'service']),
  /** Of the user or key; otherwise the kind. A value of the filter `actor`. */
  id: z.string(),
  /** A key's name is that at the time of the change. Null: the account was deleted, or the key had no name. */
  name: z.string().nullable(),
  email: z.string().nullable(),
});
export type ActivityActor = z.infer<typeof activityActorSchema>;

/** The fields that edits record, named as here. The console has words for each; rows of earlier releases may have others. */
export type ChangedField =
  | 'acceptsUnverifiedEmails'
  | 'activeStripeCustomerId'
  | 'activeStripeSubscriptionId'
  | 'allowanceShare'
  | 'audience'
  | 'balanceOpens'
  | 'bounds'
  | 'claimIndex'
  | 'claimKey'
  | 'entityClaimKey'
  | 'compiled'
  | 'conflictResolution'
  | 'costs'
  | 'description'
  | 'disabledBecause'
  | 'enabled'
  | 'environmentIds'
  | 'grantToAnonymousSessions'
  | 'grantToAuthenticatedUsers'
  | 'grantsCardlessTrials'
  | 'initialSyncSkipped'
  | 'isAddOn'
  | 'isPublic'
  | 'issuer'
  | 'keepsPaused'
  | 'keepsUnpaid'
  | 'keyAddress'
  | 'minDaysBetweenResets'
  | 'name'
  | 'onPlanChange'
  | 'pastDueDays'
  | 'plan'
  | 'publicKeys'
  | 'quickstartIdIntegrationSkipped'
  | 'quickstartStatus'
  | 'quickstartWaitForEventSkipped'
  | 'rateLimit'
  | 'secretKey'
  | 'slug'
  | 'source'
  | 'types'
  | 'url'
  | 'userIdKey'
  | 'value'
  | 'zone';

/**
 * One changed field, or one property of a plan by its id. Without values: too long to be recorded. `from` absent, or either null: it had,
 * or has, none.
 */
export interface FieldChange {
  readonly field: string;
  readonly from?: unknown;
  readonly to?: unknown;
}

export const activitySchema = z.object({
  id: z.string(),
  at: instantSchema,
  /** An `AuditAction`, or one of an earlier release. */
  action: z.string(),
  kind: activityKindSchema,
  /** Null: the organisation itself. */
  targetId: z.string().nullable(),
  actor: activityActorSchema,
  /** Depends on the action. `changes`, of an edit: `FieldChange[]`, and `moreChanges`, how many there were besides. */
  detail: z.record(z.string(), z.unknown()),
});
export type Activity = z.infer<typeof activitySchema>;

/**
 * Names of what the rows are about, by id. Objects that are gone keep their last name. Properties are named `feature.property`, versions
 * `v3`, invitations by email, keys without a name by their masked value.
 */
export const activityNamesSchema = z.record(z.string(), z.string());
export type ActivityNames = z.infer<typeof activityNamesSchema>;

const filterFields = {
  /** The id of one object: its changes, and those of its properties, tests or keys. */
  target: z.string().min(1).max(MAX_IDENTIFIER).optional(),
  kind: activityKindSchema.optional(),
  /** The `id` of an actor. */
  actor: z.string().min(1).max(64).optional(),
  /** The earliest instant, inclusive. */
  from: z.coerce.number().pipe(givenInstantSchema).optional(),
  /** The latest instant, exclusive. */
  to: z.coerce.number().pipe(givenInstantSchema).optional(),
};

const filterSchema = z.strictObject(filterFields);
export type ActivityFilter = z.infer<typeof filterSchema>;

export const activityEndpoints = {
  list: member.get('/api/orgs/:orgId/activity', {
    summary: 'Who changed what, newest first',
    reads: 'activity',
    query: z.strictObject({ ...filterFields, cursor: z.string().max(100).optional() }),
    answer: z.object({
      items: z.array(activitySchema),
      names: activityNamesSchema,
      nextCursor: z.string().nullable(),
    }),
  }),
  /** Of features that exist, with the changes of their properties. A feature that was never changed since the log began has none. */
  lastFeatureChanges: member.get('/api/orgs/:orgId/last-feature-changes', {
    summary: 'Who changed each feature last, and when',
    reads: 'activity',
    answer: z.array(z.object({ featureId: z.string(), at: instantSchema, actor: activityActorSchema })),
  }),
  export: member.get('/api/orgs/:orgId/activity-export', {
    summary: 'Download the changes of a list as CSV',
    query: filterSchema,
    isRaw: true,
  }),
} as const;
