/** What a deployment would change for known customers, before it is made. */
import { z } from 'zod';
import { customerReader, member } from '../public/endpoint.ts';
import { idSchema, instantSchema } from '../public/text.ts';
import { propertyValueSchema } from '../public/values.ts';
import { updatePlanVersionSchema } from './plans.ts';

/** Names of customers with each change, and of those without any. */
export const MAX_NAMES_OF_CHANGE = 50;
/** Customers whose usage is read, because their limit falls. */
export const MAX_READINGS = 50;
export const MAX_CHANGES = 100;
/** Customers whose values one call keeps. */
export const MAX_KEPT_CUSTOMERS = 50;
export const MAX_KEPT_DAYS = 365;

/** From the worst. `loses` and `gains` turn something off or on; a limit or number that falls is `less`. Texts only change. */
export const changeKindSchema = z.enum(['loses', 'less', 'changes', 'more', 'gains']);
export type ImpactKind = z.infer<typeof changeKindSchema>;

export const affectedCustomerSchema = z.object({
  /** Canonical. */
  identifier: z.string(),
  /** As shown; null without one. */
  name: z.string().nullable(),
  /** Names of their plans in the newer version. */
  plans: z.array(z.string()),
  /** What they have used of a limit that falls; null: not read, or no meter. */
  used: z.number().nullable(),
  /** What open holds have taken beside it; absent without any. */
  held: z.number().optional(),
});
export type AffectedCustomer = z.infer<typeof affectedCustomerSchema>;

const changedCostSchema = z.object({
  /** `feature.property` of the meter that pays. */
  path: z.string(),
  /** What each one costs of it. */
  per: z.number(),
});

/** One value that changes, for all customers for whom it changes in this way. */
export const impactChangeSchema = z.object({
  kind: changeKindSchema,
  featureName: z.string(),
  propertyId: z.string(),
  propertyName: z.string(),
  /** `feature.property`, as calls name it. */
  path: z.string(),
  /** It turns the whole feature off or on. */
  isFeature: z.boolean(),
  /** Null: that version does not have the property. */
  before: propertyValueSchema.nullable(),
  after: propertyValueSchema.nullable(),
  /** What each one costs changes, whether or not the value does; null: nothing. Absent: the value changes. */
  costs: z.object({ before: changedCostSchema.nullable(), after: changedCostSchema.nullable() }).optional(),
  /** Whether these customers have the value by balances, which open the feature. Absent: by neither version. */
  opened: z.object({ before: z.boolean(), after: z.boolean() }).optional(),
  customers: z.int(),
  /** At most MAX_NAMES_OF_CHANGE, those that lose access by their usage first. */
  names: z.array(affectedCustomerSchema),
});
export type ImpactChange = z.infer<typeof impactChangeSchema>;

export const impactSchema = z.object({
  /** Null: nothing is deployed, so there is nothing to compare with; or the workspace, for a plan. */
  fromArtifactNumber: z.int().nullable(),
  /** Null: the workspace. */
  toArtifactNumber: z.int().nullable(),
  asOf: instantSchema,
  /** Known customers that were compared: each counts once below, by its worst change. */
  customers: z.int(),
  /** With their usage: customers who have used more than a limit that falls, among those whose usage was read. */
  customersThatLose: z.int(),
  customersWithLess: z.int(),
  customersThatChange: z.int(),
  customersWithMore: z.int(),
  /** Those who keep what they have; at most MAX_NAMES_OF_CHANGE. */
  kept: z.array(affectedCustomerSchema),
  /** Known customers beyond those that one comparison can take. */
  notCompared: z.int(),
  /** How many customers' usage was read; the others' is not known. */
  readings: z.int(),
  changes: z.array(impactChangeSchema),
  /** Further changes, of fewer customers. */
  changesLeft: z.int(),
  /** Names of workflows that differ: what they decide is no part of these values, see replaySchema. */
  changedWorkflows: z.array(z.string()),
});
export type Impact = z.infer<typeof impactSchema>;

/** Recorded checks that one comparison of workflows takes. */
export const MAX_REPLAYED_CHECKS = 1_000;
/** Customers whose checks are listed. */
export const MAX_REPLAYED_CUSTOMERS = 10;

/** From the worst. `denied` and `allowed` change the check's outcome; `fails`: a workflow that ran fails; `changes`: other values. */
export const replayKindSchema = z.enum(['denied', 'fails', 'allowed', 'changes']);
export type ReplayKind = z.infer<typeof replayKindSchema>;

/** The last recorded checks that ran the changed workflows, decided by both versions. Each check counts once, by the worst kind. */
export const replaySchema = z.object({
  /** Names of changed workflows that recorded checks may have run. */
  workflows: z.array(z.string()),
  /** Names of those that only the newer version has, so that no check ran them. */
  newWorkflows: z.array(z.string()),
  /** Checks that were found, at most MAX_REPLAYED_CHECKS. */
  found: z.int(),
  /** How many of them both versions decided. The rest did not fit into the time, or their input was too long to be recorded. */
  replayed: z.int(),
  denied: z.int(),
  allowed: z.int(),
  changes: z.int(),
  fails: z.int(),
  /** The worst first, and of each kind those of the most checks; at most MAX_REPLAYED_CUSTOMERS. */
  customers: z.array(
    z.object({
      kind: replayKindSchema,
      /** Canonical; null for anonymous subjects. */
      identifier: z.string().nullable(),
      checks: z.int(),
      /** The latest of the checks. */
      eventId: z.string(),
      at: instantSchema,
      /** What it fails with; null otherwise. */
      reason: z.string().nullable(),
    }),
  ),
  customersLeft: z.int(),
});
export type Replay = z.infer<typeof replaySchema>;

const base = '/api/orgs/:orgId/deployments/:envId/impact';

export const impactEndpoints = {
  read: customerReader.get(base, {
    summary: 'Compare what known customers have in an environment with what a version would give them',
    reads: 'artifacts',
    query: z.strictObject({
      /** The workspace where absent. */
      toArtifactId: idSchema.optional(),
    }),
    answer: impactSchema,
  }),
  /** Takes up to 5 s where a workflow changed. Counts as one run of code by a member. */
  replay: customerReader.get(`${base}/checks`, {
    summary: 'Decide the last recorded checks that ran a changed workflow by both versions',
    reads: 'artifacts',
    query: z.strictObject({
      /** The workspace where absent. */
      toArtifactId: idSchema.optional(),
    }),
    answer: replaySchema,
  }),
  /** Changes nothing. The environment says which customers there are, whatever it runs. */
  readPlan: member.post(`${base}/plans/:planId`, {
    summary:
      'Compare what known customers have by the workspace with what a plan’s unsaved values would give them',
    reads: 'artifacts',
    body: updatePlanVersionSchema,
    answer: impactSchema,
  }),
  /** Before the deployment: afterwards there is nothing to compare. */
  keep: member.post(`${base}/kept-values`, {
    summary: 'Override what customers would lose by a version with what they have, for some days',
    changes: ['customers'],
    body: z.strictObject({
      toArtifactId: idSchema,
      days: z.int().min(1).max(MAX_KEPT_DAYS),
    }),
    answer: z.object({
      customers: z.int(),
      overrides: z.int(),
      /** Properties that the workspace has changed or deleted since, so that nothing can keep their values: 'Workspaces seats'. */
      notKept: z.array(z.string()),
    }),
  }),
} as const;
