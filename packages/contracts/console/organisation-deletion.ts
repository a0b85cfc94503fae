/** Deletion of an organisation: an owner schedules it, any owner can cancel it until it starts. */
import { z } from 'zod';
import { orgEditor } from '../public/endpoint.ts';
import { MAX_PASSWORD_LENGTH } from './auth.ts';
import { organisationDeletionSchema } from './organisations.ts';

/** Days from the request to the start. */
export const DELETION_DELAY_DAYS = 7;

export const requestDeletionSchema = z
  .strictObject({
    /** The organisation's name, typed as a confirmation. */
    name: z.string('Required').trim().min(1, 'Required').max(200, 'Must be at most 200 characters'),
    /** The caller's own. */
    password: z.string().min(1, 'Required').max(MAX_PASSWORD_LENGTH, 'Invalid password').optional(),
    /** The token of a mailed link, instead of the password. */
    token: z.string().min(1, 'Required').max(200).optional(),
  })
  .refine(({ password, token }) => password !== undefined || token !== undefined, {
    path: ['password'],
    message: 'Enter your password, or request a link by email',
  });

export const organisationDeletionEndpoints = {
  request: orgEditor.post('/api/orgs/:orgId/deletion', {
    summary: 'Schedule the deletion of the organisation (owners only)',
    changes: ['organisation', 'summary'],
    body: requestDeletionSchema,
    answer: organisationDeletionSchema,
    status: 202,
  }),
  mailLink: orgEditor.post('/api/orgs/:orgId/deletion/link', {
    summary: 'Mail the caller a link that replaces the password (owners only)',
    changes: [],
  }),
  cancel: orgEditor.remove('/api/orgs/:orgId/deletion', {
    summary: 'Cancel the deletion of the organisation (owners only)',
    changes: ['organisation', 'summary'],
  }),
} as const;
