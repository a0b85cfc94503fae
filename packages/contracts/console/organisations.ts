/** Organisations: settings, data locations, and the summary that the console's shell shows. */
import { z } from 'zod';
import { member, open, orgEditor, permissionSchema, user } from '../public/endpoint.ts';
import { locationFlagsSchema } from '../public/locations.ts';
import { descriptionSchema, instantSchema, nameSchema } from '../public/text.ts';
import { createEnvironmentSchema } from './environments.ts';
import { roleSchema } from './permissions.ts';
import { zoneSchema } from './time-zone.ts';
import { imageUrlSchema } from './web-url.ts';

export const quickstartStatusSchema = z.enum(['dismissed', 'finished', 'paused']);
export type QuickstartStatus = z.infer<typeof quickstartStatusSchema>;
export const billingPlanSchema = z.enum(['build', 'grow']);
export type BillingPlan = z.infer<typeof billingPlanSchema>;
export const BILLING_PLAN_NAMES: Readonly<Record<BillingPlan, string>> = { build: 'Build', grow: 'Grow' };

export const organisationSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  quickstartStatus: quickstartStatusSchema.nullable(),
  quickstartIdIntegrationSkipped: z.boolean(),
  dataLocations: locationFlagsSchema,
  /** Whose calendar the calendar periods of the workspace's limits follow. */
  zone: zoneSchema,
  userPermissions: z.array(permissionSchema),
  plan: billingPlanSchema,
  createdAt: instantSchema,
  updatedAt: instantSchema,
});
export type Organisation = z.infer<typeof organisationSchema>;

/** A scheduled deletion. Its calls are in organisation-deletion.ts. */
export const organisationDeletionSchema = z.object({
  requestedByUserId: z.string(),
  requestedAt: instantSchema,
  /** When the organisation and its keys stop to exist. Until then everything works, and owners can cancel. */
  dueAt: instantSchema,
});
export type OrganisationDeletion = z.infer<typeof organisationDeletionSchema>;

/** What members are told about the organisation's own subscription, above every page and by mail. */
export const billingNoticeSchema = z.object({
  /**
   * past-due: a payment failed. past-due-ends: its last days. cancelled-ends: the last days of a cancelled subscription.
   * on-hold: an invoice is unpaid. paused: the subscription is. on-build: the plan has fallen to Build lately.
   */
  kind: z.enum(['past-due', 'past-due-ends', 'cancelled-ends', 'on-hold', 'paused', 'on-build']),
  /** When Grow ends; null: it has. */
  until: instantSchema.nullable(),
  /** Until then Build's allowance refuses nothing; null: it applies. */
  graceUntil: instantSchema.nullable(),
});
export type BillingNotice = z.infer<typeof billingNoticeSchema>;

export const organisationSummarySchema = z.object({
  id: z.string(),
  name: z.string(),
  plan: billingPlanSchema,
  planDisplayName: z.string(),
  hasCustomerId: z.boolean(),
  quickstartStatus: quickstartStatusSchema.nullable(),
  quickstartIdIntegrationSkipped: z.boolean(),
  /** API calls per calendar month. Null means no limit. */
  visibleTotalMonthlyRequestLimit: z.number().nullable(),
  /** If set, access checks are refused in every environment, for this reason. */
  blockReason: z.string().nullable(),
  /** Null: nothing about the subscription needs attention. */
  billingNotice: billingNoticeSchema.nullable(),
  /** Null unless an owner has scheduled the deletion of the organisation. */
  deletion: organisationDeletionSchema.nullable(),
  /** How limits of several plans compare in the workspace: by what they allow in the same time, or by the number alone. */
  limitOrder: z.enum(['limit', 'rate']),
  /** Whose calendar the calendar periods of the workspace's limits follow. */
  zone: zoneSchema,
  userPermissions: z.array(permissionSchema),
});

export const teamRowSchema = z.object({
  id: z.string(),
  type: z.enum(['member', 'invite']),
  /** Set for members. */
  userId: z.string().nullable(),
  name: z.string().nullable(),
  email: z.string(),
  role: z.enum(['owner', 'admin', 'member', 'sudo']),
  /** Set for invitations. */
  inviteStatus: z.enum(['pending', 'canceled', 'rejected', 'expired']).nullable(),
  memberCreatedAt: instantSchema.nullable(),
});
export type TeamRow = z.infer<typeof teamRowSchema>;

export const userSummarySchema = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  image: z.string().nullable(),
});

/** Environments that are created with an organisation, beside Preview. */
export const MAX_FIRST_ENVIRONMENTS = 10;

export const createOrganisationSchema = z.strictObject({
  name: nameSchema,
  /** Sent by Better Auth's clients. If it is absent or taken, the server generates one. */
  slug: z.string().max(100).optional(),
  logo: imageUrlSchema.nullish(),
  /** Beside Preview, which every organisation has. Absent: Production and Test. */
  environments: z
    .array(createEnvironmentSchema.pick({ name: true, type: true }))
    .max(MAX_FIRST_ENVIRONMENTS)
    .refine(areNamesFree, 'Names must differ from each other and from Preview')
    .optional(),
});

function areNamesFree(environments: readonly { readonly name: string }[]): boolean {
  const names = ['preview', ...environments.map(({ name }) => name.toLowerCase())];
  return new Set(names).size === names.length;
}

export const updateOrganisationSchema = z
  .strictObject({
    name: nameSchema,
    description: descriptionSchema,
    quickstartStatus: quickstartStatusSchema,
    quickstartIdIntegrationSkipped: z.boolean(),
    zone: zoneSchema,
    /** The state that was edited. If the organisation changed later, the response is a conflict. */
    updatedAt: instantSchema,
  })
  .partial();

/** The quick start's stored state. Everything else about it is derived from what the organisation has. */
export const quickstartSchema = z.object({
  /** Null: never left. `finished` is final. */
  quickstartStatus: quickstartStatusSchema.nullable(),
  /** The JWT step was skipped. */
  quickstartIdIntegrationSkipped: z.boolean(),
});

export const updateQuickstartSchema = z
  .strictObject({
    quickstartStatus: quickstartStatusSchema.optional(),
    quickstartIdIntegrationSkipped: z.boolean().optional(),
  })
  .refine((body) => Object.keys(body).length > 0, 'Send at least one field');

export const dataLocationsSchema = z.strictObject({ locations: locationFlagsSchema });

export const organisationEndpoints = {
  create: user.post('/api/auth/organization/create', {
    summary: 'Create an organisation, with its environments; the caller becomes its owner',
    changes: ['own-organisations'],
    body: createOrganisationSchema,
    answer: organisationSchema,
    status: 201,
  }),
  get: member.get('/api/orgs/:orgId', {
    summary: 'Read an organisation',
    reads: 'organisation',
    answer: organisationSchema,
  }),
  update: orgEditor.put('/api/orgs/:orgId', {
    summary: 'Change name, description, time zone or quick-start state',
    changes: ['organisation', 'summary', 'own-organisations', 'workspace'],
    body: updateOrganisationSchema,
    answer: organisationSchema,
  }),
  updateQuickstart: member.put('/api/orgs/:orgId/quickstart', {
    summary: 'Pause, dismiss or finish the quick start, or skip its JWT step',
    changes: ['organisation'],
    body: updateQuickstartSchema,
    answer: quickstartSchema,
  }),
  updateDataLocations: orgEditor.put('/api/orgs/:orgId/data-locations', {
    summary: 'Enable and disable data locations',
    changes: ['organisation', 'deployments'],
    body: dataLocationsSchema,
    answer: dataLocationsSchema,
  }),
  summary: member.get('/api/orgs/:orgId/summary', {
    summary: 'Read what the shell shows of an organisation',
    reads: 'summary',
    answer: organisationSummarySchema,
  }),
  teamSummary: member.get('/api/orgs/:orgId/team-summary', {
    summary: 'List members and invitations',
    reads: 'team',
    answer: z.array(teamRowSchema),
  }),
  getUser: member.get('/api/orgs/:orgId/users/:userId', {
    summary: 'Read a member, or someone who was one',
    reads: 'members',
    answer: userSummarySchema,
  }),
} as const;

/** Where an invitation leads, and who sent it. */
const invitedFields = {
  organisationName: z.string(),
  role: roleSchema,
  /** Null: the account was deleted. */
  inviter: z.object({ name: z.string(), email: z.string() }).nullable(),
};

export const currentUserEndpoints = {
  organisations: user.get('/api/user/orgs', {
    summary: "List the caller's organisations",
    reads: 'own-organisations',
    answer: z.array(z.object({ id: z.string(), name: z.string(), role: roleSchema })),
  }),
  invitations: user.get('/api/user/invitations', {
    summary: "List the caller's pending invitations",
    reads: 'own-invitations',
    answer: z.array(z.object({ id: z.string(), ...invitedFields })),
  }),
  /** For the pages before sign-in: the id is as good as unguessable, and is mailed to the invited person only. */
  invitation: open.get('/api/invitations/:invitationId', {
    summary: 'Read what a pending invitation is for',
    answer: z.object(invitedFields),
  }),
} as const;
