/** Environments, to which versions are deployed. The preview environment always runs the workspace. */
import { z } from 'zod';
import { endpoint } from '../public/endpoint.ts';
import { descriptionSchema, instantSchema, nameSchema } from '../public/text.ts';
import { environmentTypeSchema } from './environment-type.ts';
import { optionalUrlSchema } from './web-url.ts';

export const MAX_ENVIRONMENTS = 25;

export const environmentSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  url: z.string().nullable(),
  type: environmentTypeSchema,
  artifactId: z.string().nullable(),
  artifactNumber: z.int().nullable(),
  lastDeployedAt: instantSchema.nullable(),
  lastDeployedByUserId: z.string().nullable(),
  createdAt: instantSchema,
  updatedAt: instantSchema,
});
export type Environment = z.infer<typeof environmentSchema>;

export const createEnvironmentSchema = z.strictObject({
  name: nameSchema,
  type: z.enum(['live', 'test']),
  description: descriptionSchema.optional(),
  url: optionalUrlSchema.optional(),
});

export const updateEnvironmentSchema = z
  .strictObject({
    name: nameSchema,
    description: descriptionSchema,
    url: optionalUrlSchema,
    updatedAt: instantSchema,
  })
  .partial();

const guard = { kind: 'member' } as const;
const base = '/api/orgs/:orgId/environments';

export const environmentEndpoints = {
  list: endpoint({
    method: 'GET',
    path: base,
    guard,
    summary: 'List environments',
    answer: z.array(environmentSchema),
  }),
  create: endpoint({
    method: 'POST',
    path: base,
    guard,
    summary: 'Add an environment',
    body: createEnvironmentSchema,
    answer: environmentSchema,
    status: 201,
  }),
  get: endpoint({
    method: 'GET',
    path: `${base}/:environmentId`,
    guard,
    summary: 'Read an environment',
    answer: environmentSchema,
  }),
  update: endpoint({
    method: 'PUT',
    path: `${base}/:environmentId`,
    guard,
    summary: 'Change an environment',
    body: updateEnvironmentSchema,
    answer: environmentSchema,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: `${base}/:environmentId`,
    guard,
    summary: 'Delete an environment and its keys',
    status: 204,
  }),
} as const;
