/** Support access: an owner lets platform staff change things in the organisation for a limited time. */
import { z } from 'zod';
import { member, sudo } from '../public/endpoint.ts';
import { instantSchema } from '../public/text.ts';

/** For how many hours an owner can grant access. */
export const SUPPORT_ACCESS_HOURS = [1, 4, 24, 72] as const;

export const supportAccessSchema = z.object({
  /** Open until an owner grants access or declines. */
  request: z.object({ reason: z.string(), requestedAt: instantSchema }).nullable(),
  /** Absent once it has expired. */
  grant: z.object({ grantedAt: instantSchema, expiresAt: instantSchema }).nullable(),
  /** Whether platform staff see customers and events only while access is granted. */
  needsConsentToRead: z.boolean(),
});
export type SupportAccess = z.infer<typeof supportAccessSchema>;

export const grantSupportAccessSchema = z.strictObject({
  hours: z.literal(SUPPORT_ACCESS_HOURS, `Must be one of ${SUPPORT_ACCESS_HOURS.join(', ')}`),
});

const changeReadingSchema = z.strictObject({ needsConsent: z.boolean('Required') });

export const requestSupportAccessSchema = z.strictObject({
  /** Shown to the owners. */
  reason: z
    .string('Required')
    .trim()
    .min(10, 'Must be at least 10 characters')
    .max(500, 'Must be at most 500 characters'),
});

export const supportAccessEndpoints = {
  get: member.get('/api/orgs/:orgId/support-access', {
    summary: 'Read the organisation’s support access and any open request',
    reads: 'support-access',
    answer: supportAccessSchema,
  }),
  grant: member.put('/api/orgs/:orgId/support-access', {
    summary: 'Grant platform staff support access for some hours (owners only)',
    changes: ['everything'],
    body: grantSupportAccessSchema,
    answer: supportAccessSchema,
  }),
  changeReading: member.put('/api/orgs/:orgId/support-access/reading', {
    summary: 'Decide whether platform staff need support access to read customers and events (owners only)',
    changes: ['everything'],
    body: changeReadingSchema,
    answer: supportAccessSchema,
  }),
  end: member.remove('/api/orgs/:orgId/support-access', {
    summary: 'End support access, or decline a request for it (owners only)',
    changes: ['everything'],
  }),
  request: sudo.post('/api/sudo/orgs/:orgId/support-access', {
    summary: "Request support access from an organisation's owners",
    changes: ['everything'],
    body: requestSupportAccessSchema,
    answer: supportAccessSchema,
  }),
} as const;
