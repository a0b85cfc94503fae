/** Support access: an owner lets platform staff change things in the organisation for a limited time. */
import { z } from 'zod';
import { endpoint } from '../public/endpoint.ts';
import { instantSchema } from '../public/text.ts';

/** For how many hours an owner can grant access. */
export const SUPPORT_ACCESS_HOURS = [1, 4, 24, 72] as const;

export const supportAccessSchema = z.object({
  /** Open until an owner grants access or declines. */
  request: z.object({ reason: z.string(), requestedAt: instantSchema }).nullable(),
  /** Absent once it has expired. */
  grant: z.object({ grantedAt: instantSchema, expiresAt: instantSchema }).nullable(),
});
export type SupportAccess = z.infer<typeof supportAccessSchema>;

export const grantSupportAccessSchema = z.strictObject({
  hours: z.literal(SUPPORT_ACCESS_HOURS, `Must be one of ${SUPPORT_ACCESS_HOURS.join(', ')}`),
});

export const requestSupportAccessSchema = z.strictObject({
  /** Shown to the owners. */
  reason: z
    .string('Required')
    .trim()
    .min(10, 'Must be at least 10 characters')
    .max(500, 'Must be at most 500 characters'),
});

const member = { kind: 'member' } as const;

export const supportAccessEndpoints = {
  get: endpoint({
    method: 'GET',
    path: '/api/orgs/:orgId/support-access',
    guard: member,
    summary: 'Read the organisation’s support access and any open request',
    answer: supportAccessSchema,
  }),
  grant: endpoint({
    method: 'PUT',
    path: '/api/orgs/:orgId/support-access',
    guard: member,
    summary: 'Grant platform staff support access for some hours (owners only)',
    body: grantSupportAccessSchema,
    answer: supportAccessSchema,
  }),
  end: endpoint({
    method: 'DELETE',
    path: '/api/orgs/:orgId/support-access',
    guard: member,
    summary: 'End support access, or decline a request for it (owners only)',
    status: 204,
  }),
  request: endpoint({
    method: 'POST',
    path: '/api/sudo/orgs/:orgId/support-access',
    guard: { kind: 'sudo' },
    summary: "Request support access from an organisation's owners",
    body: requestSupportAccessSchema,
    answer: supportAccessSchema,
  }),
} as const;
