/** The API keys of an environment. */
import { z } from 'zod';
import { apiKeyTypeSchema } from '../public/api-key-type.ts';
import { endpoint } from '../public/endpoint.ts';
import { idSchema, instantSchema } from '../public/text.ts';

/** Maximum number of keys of one type in one environment. */
export const MAX_KEYS_PER_TYPE = 5;

export const apiKeySchema = z.object({
  id: z.string(),
  type: apiKeyTypeSchema,
  environmentId: z.string(),
  maskedValue: z.string(),
  createdAt: instantSchema,
  createdByUserId: z.string().nullable(),
});
export type ApiKey = z.infer<typeof apiKeySchema>;

const guard = { kind: 'member' } as const;

export const apiKeyEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/orgs/:orgId/environments/:environmentId/api-keys',
    guard,
    summary: "List an environment's keys, masked",
    answer: z.object({ keys: z.array(apiKeySchema), publicRemaining: z.int(), secretRemaining: z.int() }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/orgs/:orgId/api-keys',
    guard,
    summary: 'Make a key',
    body: z.strictObject({ environmentId: idSchema, type: apiKeyTypeSchema }),
    answer: apiKeySchema.extend({ value: z.string() }),
    status: 201,
  }),
  reveal: endpoint({
    method: 'GET',
    path: '/api/orgs/:orgId/api-keys/:keyId',
    guard,
    summary: 'Read a key in full (audited)',
    answer: apiKeySchema.extend({ value: z.string() }),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/orgs/:orgId/api-keys/:keyId',
    guard,
    summary: 'Revoke a key',
    status: 204,
  }),
} as const;
