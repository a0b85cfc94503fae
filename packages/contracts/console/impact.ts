/** What a deployment would change for known customers, before it is made. */
import { z } from 'zod';
import { endpoint } from '../public/endpoint.ts';
import { idSchema, instantSchema } from '../public/text.ts';
import { propertyValueSchema } from '../public/values.ts';
import { updatePlanVersionSchema } from './plans.ts';

/** Names of customers with each change. */
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
});
export type AffectedCustomer = z.infer<typeof affectedCustomerSchema>;

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
  /** Known customers beyond those that one comparison can take. */
  notCompared: z.int(),
  /** How many customers' usage was read; the others' is not known. */
  readings: z.int(),
  changes: z.array(impactChangeSchema),
  /** Further changes, of fewer customers. */
  changesLeft: z.int(),
  /** Names of workflows that differ: what they decide is not compared. */
  changedWorkflows: z.array(z.string()),
});
export type Impact = z.infer<typeof impactSchema>;

const guard = { kind: 'member' } as const;
const base = '/api/orgs/:orgId/deployments/:envId/impact';

export const impactEndpoints = {
  read: endpoint({
    method: 'GET',
    path: base,
    guard,
    summary: 'Compare what known customers have in an environment with what a version would give them',
    query: z.strictObject({
      /** The workspace where absent. */
      toArtifactId: idSchema.optional(),
    }),
    answer: impactSchema,
  }),
  /** Changes nothing. The environment says which customers there are, whatever it runs. */
  readPlan: endpoint({
    method: 'POST',
    path: `${base}/plans/:planId`,
    guard,
    summary:
      'Compare what known customers have by the workspace with what a plan’s unsaved values would give them',
    body: updatePlanVersionSchema,
    answer: impactSchema,
  }),
  /** Before the deployment: afterwards there is nothing to compare. */
  keep: endpoint({
    method: 'POST',
    path: `${base}/kept-values`,
    guard,
    summary: 'Override what customers would lose by a version with what they have, for some days',
    body: z.strictObject({
      toArtifactId: idSchema,
      days: z.int().min(1).max(MAX_KEPT_DAYS),
    }),
    answer: z.object({
      customers: z.int(),
      overrides: z.int(),
      /** Of properties that the workspace no longer has, which nothing can keep. */
      notKept: z.int(),
    }),
  }),
} as const;
