/** An organisation's members, roles and invitations. The paths are the ones that Better Auth's clients use. */
import { z } from 'zod';
import { teamEditor, user } from '../public/endpoint.ts';
import { idSchema } from '../public/text.ts';
import { roleSchema } from './permissions.ts';

/** The placeholder email of forms. It is never a real recipient. */
export const PLACEHOLDER_EMAIL = 'example@example.com';

const invitedEmailSchema = z
  .string('A valid email is required')
  .trim()
  .toLowerCase()
  .max(254, 'A valid email is required')
  .pipe(z.email('A valid email is required'))
  .refine((email) => email !== PLACEHOLDER_EMAIL, 'This email is not in our database');

/** Both spellings are accepted. Without either, the query's organisationId applies. */
const organisationFields = { organizationId: idSchema.optional(), organisationId: idSchema.optional() };

export const inviteMemberSchema = z.strictObject({
  ...organisationFields,
  email: invitedEmailSchema,
  role: roleSchema,
  /** If false, an open invitation to the same email is a conflict. Otherwise a new one replaces it. */
  resend: z.boolean().optional(),
});

export const removeMemberSchema = z.strictObject({
  ...organisationFields,
  memberIdOrEmail: z.string().trim().min(1, 'Required').max(254),
});

export const updateMemberRoleSchema = z.strictObject({
  ...organisationFields,
  memberId: idSchema,
  role: roleSchema,
});

export const invitationIdSchema = z.strictObject({ ...organisationFields, invitationId: idSchema });

export const invitationSchema = z.object({
  id: z.string(),
  organizationId: z.string(),
  email: z.string(),
  role: roleSchema,
  status: z.enum(['pending', 'accepted', 'rejected', 'canceled']),
  expiresAt: z.number(),
});
export type Invitation = z.infer<typeof invitationSchema>;

export const memberSchema = z.object({
  id: z.string(),
  organizationId: z.string(),
  userId: z.string(),
  role: roleSchema,
});

const memberWithUserSchema = memberSchema.extend({
  user: z.object({ id: z.string(), name: z.string(), email: z.string() }),
});
export type MemberWithUser = z.infer<typeof memberWithUserSchema>;

export const teamEndpoints = {
  invite: user.post('/api/auth/organization/invite-member', {
    summary: 'Invite a person by email (permission team-members:edit)',
    changes: ['team'],
    body: inviteMemberSchema,
    answer: invitationSchema,
  }),
  cancelInvitation: user.post('/api/auth/organization/cancel-invitation', {
    summary: 'Cancel an invitation (permission team-members:edit)',
    changes: ['team'],
    body: invitationIdSchema,
    answer: invitationSchema,
  }),
  clearInvitation: teamEditor.remove('/api/orgs/:orgId/invitations/:invitationId', {
    summary: 'Remove a closed invitation from the team list',
    changes: ['team'],
  }),
  acceptInvitation: user.post('/api/auth/organization/accept-invitation', {
    summary: 'Join an organisation that invited the caller',
    changes: ['own-invitations', 'own-organisations', 'summary', 'team'],
    body: invitationIdSchema,
    answer: z.object({ invitation: invitationSchema, member: memberSchema }),
  }),
  rejectInvitation: user.post('/api/auth/organization/reject-invitation', {
    summary: 'Decline an invitation',
    changes: ['own-invitations', 'team'],
    body: invitationIdSchema,
    answer: z.object({ invitation: invitationSchema }),
  }),
  removeMember: user.post('/api/auth/organization/remove-member', {
    summary: 'Remove a member (permission team-members:edit)',
    changes: ['team'],
    body: removeMemberSchema,
    answer: z.object({ member: memberWithUserSchema }),
  }),
  updateMemberRole: user.post('/api/auth/organization/update-member-role', {
    summary: "Change a member's role (permission team-members:edit)",
    changes: ['team'],
    body: updateMemberRoleSchema,
    answer: memberSchema,
  }),
} as const;
