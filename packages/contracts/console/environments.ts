/** Environments, to which versions are deployed. The preview environment always runs the workspace. */
import { z } from 'zod';
import { member } from '../public/endpoint.ts';
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

const base = '/api/orgs/:orgId/environments';

export const environmentEndpoints = {
  list: member.get(base, {
    summary: 'List environments',
    reads: 'environments',
    answer: z.array(environmentSchema),
  }),
  create: member.post(base, {
    summary: 'Add an environment',
    changes: ['environments', 'deployments'],
    body: createEnvironmentSchema,
    answer: environmentSchema,
    status: 201,
  }),
  get: member.get(`${base}/:environmentId`, {
    summary: 'Read an environment',
    reads: 'environments',
    answer: environmentSchema,
  }),
  update: member.put(`${base}/:environmentId`, {
    summary: 'Change an environment',
    changes: ['environments', 'deployments'],
    body: updateEnvironmentSchema,
    answer: environmentSchema,
  }),
  remove: member.remove(`${base}/:environmentId`, {
    summary: 'Delete an environment and its keys',
    changes: ['environments', 'deployments'],
  }),
} as const;
