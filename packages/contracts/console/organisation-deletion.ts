/** Deletion of an organisation: an owner schedules it, any owner can cancel it until it starts. */
import { z } from 'zod';
import { endpoint } from '../public/endpoint.ts';
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

const orgEditor = { kind: 'member', permission: 'org:edit' } as const;

export const organisationDeletionEndpoints = {
  request: endpoint({
    method: 'POST',
    path: '/api/orgs/:orgId/deletion',
    guard: orgEditor,
    summary: 'Schedule the deletion of the organisation (owners only)',
    body: requestDeletionSchema,
    answer: organisationDeletionSchema,
    status: 202,
  }),
  mailLink: endpoint({
    method: 'POST',
    path: '/api/orgs/:orgId/deletion/link',
    guard: orgEditor,
    summary: 'Mail the caller a link that replaces the password (owners only)',
    status: 204,
  }),
  cancel: endpoint({
    method: 'DELETE',
    path: '/api/orgs/:orgId/deletion',
    guard: orgEditor,
    summary: 'Cancel the deletion of the organisation (owners only)',
    status: 204,
  }),
} as const;
