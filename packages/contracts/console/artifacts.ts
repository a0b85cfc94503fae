/** Versions (artifacts), what changed between them, and where each is deployed. */
import { z } from 'zod';
import { member } from '../public/endpoint.ts';
import { locationSchema } from '../public/locations.ts';
import { idSchema, instantSchema, optionalTextSchema } from '../public/text.ts';

export const MAX_NOTE_LENGTH = 500;

export const createVersionSchema = z.strictObject({
  /** Why this version exists. Shown wherever the version is. */
  note: optionalTextSchema(MAX_NOTE_LENGTH).optional(),
});

export const artifactSchema = z.object({
  id: z.string(),
  artifactId: z.string(),
  artifactNumber: z.int(),
  createdAt: instantSchema,
  createdByUserId: z.string().nullable(),
  /** Its author's note; null without one. */
  note: z.string().nullable(),
  /** SHA-256 of the content, hexadecimal. */
  hash: z.string(),
});
export type Artifact = z.infer<typeof artifactSchema>;

export const diffItemSchema = z.object({
  type: z.enum(['add', 'modify', 'remove']),
  /** `workspace`: what holds for all of it. */
  itemType: z.enum([
    'feature',
    'feature-property',
    'plan',
    'plan-value',
    'plan-product',
    'workflow',
    'workspace',
  ]),
  itemName: z.string(),
  itemId: z.string(),
  /** The changed property of a feature, or the property that a plan's value sets; null for everything else. */
  property: z.object({ featureName: z.string(), name: z.string(), key: z.string() }).nullable(),
  changes: z.array(z.object({ path: z.string(), from: z.unknown(), to: z.unknown() })),
});
export type DiffItem = z.infer<typeof diffItemSchema>;

export const diffSchema = z.object({
  /** Null if there is nothing to compare with (no version yet, or nothing deployed). */
  fromArtifactId: z.string().nullable(),
  fromArtifactNumber: z.int().nullable(),
  toArtifactId: z.string().nullable(),
  toArtifactNumber: z.int().nullable(),
  items: z.array(diffItemSchema),
});
export type Diff = z.infer<typeof diffSchema>;

export const environmentStatusSchema = z.object({
  environmentId: z.string(),
  environmentName: z.string(),
  environmentType: z.enum(['deployable', 'preview']),
  /** Its customers are real: the environment's type is live. */
  isLive: z.boolean(),
  artifactId: z.string().nullable(),
  artifactNumber: z.int().nullable(),
  /** The artifact that ran before, which may have been deleted since. Null: none, or unknown. */
  previousArtifactId: z.string().nullable(),
  /** Whether the deployed artifact equals the current workspace. */
  isHead: z.boolean(),
  deployInProgress: z.boolean(),
  lastDeployedAt: instantSchema.nullable(),
  lastDeployedByUserId: z.string().nullable(),
  headArtifactId: z.string().nullable(),
  /** Each enabled data location, and whether it has acknowledged the deployed version. */
  locations: z.array(
    z.object({
      location: locationSchema,
      isUpToDate: z.boolean(),
      /** When the location last failed to acknowledge this deployment. Publishing is repeated until it does. */
      failedAt: instantSchema.nullable(),
    }),
  ),
});
export type EnvironmentStatus = z.infer<typeof environmentStatusSchema>;

/** From here on the console warns: every isolate that serves the environment keeps the compiled workspace in memory. */
export const LARGE_WORKSPACE_BYTES = 2_000_000;
/** A change that makes a workspace larger than this is refused. */
export const MAX_WORKSPACE_BYTES = 8_000_000;

/** Approximate bytes of the compiled workspace, by what it consists of. */
export const workspaceSizeSchema = z.object({
  features: z.int(),
  plans: z.int(),
  workflows: z.int(),
});
export type WorkspaceSize = z.infer<typeof workspaceSizeSchema>;

export function workspaceBytes({ features, plans, workflows }: WorkspaceSize): number {
  return features + plans + workflows;
}

/** "3.1 MB: features 0.4 MB, plans 2.6 MB, workflows 0.1 MB" */
export function describeWorkspaceSize(size: WorkspaceSize): string {
  const parts = Object.entries(size).map(([part, bytes]) => `${part} ${megabytes(bytes)}`);
  return `${megabytes(workspaceBytes(size))}: ${parts.join(', ')}`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

export const deploymentStatusSchema = z.object({
  environments: z.array(environmentStatusSchema),
  workspaceSize: workspaceSizeSchema,
  /** The head artifact's id. */
  currentVersion: z.string().nullable(),
});
export type DeploymentStatus = z.infer<typeof deploymentStatusSchema>;

const base = '/api/orgs/:orgId/artifacts';

export const artifactEndpoints = {
  list: member.get(base, {
    summary: 'List versions, newest first',
    reads: 'artifacts',
    answer: z.array(artifactSchema),
  }),
  create: member.post(base, {
    summary: 'Freeze the workspace as the next version',
    changes: ['workspace'],
    body: createVersionSchema.optional(),
    answer: artifactSchema,
    status: 201,
  }),
  remove: member.remove(`${base}/:artifactId`, {
    summary: 'Delete a version that is deployed nowhere',
    changes: ['workspace'],
  }),
  /** Without workflows: their code is no part of what an application tests with. */
  exportJson: member.get(`${base}/:artifactId/tessera-version.json`, {
    summary: 'Download a version for the fake server of tessera-sdk/fake-server',
    isRaw: true,
  }),
  exportTypes: member.get(`${base}/:artifactId/tessera.gen.ts`, {
    summary: 'Download the types of a version’s features and plans for tessera-sdk',
    isRaw: true,
  }),
  lastDiff: member.get(`${base}/last-diff`, {
    summary: 'Compare the workspace with the last version',
    reads: 'artifacts',
    answer: diffSchema,
  }),
  diff: member.get(`${base}/diff`, {
    summary: 'Compare two artifacts, or an environment’s version with one',
    reads: 'artifacts',
    query: z.strictObject({
      envId: idSchema.optional(),
      toArtifactId: idSchema.optional(),
      fromArtifactId: idSchema.optional(),
    }),
    answer: diffSchema,
  }),
} as const;

export const deploymentEndpoints = {
  status: member.get('/api/orgs/:orgId/deployments', {
    summary: 'List deployments and their progress per region',
    reads: 'deployments',
    query: z.strictObject({
      previewOnly: z.enum(['true', 'false']).optional(),
    }),
    answer: deploymentStatusSchema,
  }),
  deploy: member.put('/api/orgs/:orgId/deployments/:envId/artifact', {
    summary: 'Deploy a version, or roll back to an earlier one',
    changes: ['workspace'],
    body: z.strictObject({
      artifactId: idSchema,
      /** The version that the caller saw deployed, or null for none. If another one is deployed by now, the response is a conflict. */
      fromArtifactId: idSchema.nullable().optional(),
    }),
    answer: environmentStatusSchema,
  }),
} as const;
