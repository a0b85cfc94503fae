/** Features and their typed properties. */
import { z } from 'zod';
import { perSchema } from '../public/costs.ts';
import { member } from '../public/endpoint.ts';
import {
  descriptionSchema,
  instantSchema,
  nameSchema,
  propertyKeySchema,
  slugSchema,
} from '../public/text.ts';
import {
  conflictResolutionSchema,
  numberBoundsSchema,
  ownValueSchema,
  propertyTypeSchema,
  propertyValueSchema,
} from '../public/values.ts';

export const MAX_FEATURES = 1000;
export const MAX_PROPERTIES = 100;
/** Of all features of a version: a check without a choice of features reads the usage of every one. */
export const MAX_METERED_PROPERTIES = 1000;

/** What each counted one of a meter counts on another meter of the workspace, in the same transaction. */
export const propertyCostSchema = z.strictObject({ propertyId: z.string(), per: perSchema });
export type PropertyCost = z.infer<typeof propertyCostSchema>;

export const featurePropertySchema = z.object({
  id: z.string(),
  name: z.string(),
  propertyKey: z.string(),
  description: z.string().nullable(),
  type: propertyTypeSchema,
  /** The default, used when no plan sets the property. */
  value: propertyValueSchema,
  bounds: numberBoundsSchema.nullable(),
  conflictResolution: conflictResolutionSchema,
  /** Of a meter; null: it costs nothing. */
  costs: propertyCostSchema.nullable(),
  /** Of a meter: a balance opens the feature to customers without a plan. */
  balanceOpens: z.boolean(),
  createdAt: instantSchema,
  updatedAt: instantSchema,
});
export type FeatureProperty = z.infer<typeof featurePropertySchema>;

export const featureSchema = z.object({
  id: z.string(),
  name: z.string(),
  slug: z.string(),
  description: z.string().nullable(),
  createdAt: instantSchema,
  updatedAt: instantSchema,
  properties: z.array(featurePropertySchema),
  systemFeatureProperties: z.array(featurePropertySchema),
});
export type Feature = z.infer<typeof featureSchema>;

export const createFeatureSchema = z.strictObject({
  name: nameSchema,
  slug: slugSchema,
  description: descriptionSchema.optional(),
});

/** `updatedAt` is the state that was edited (optimistic lock). A later edit makes the response a conflict. */
export const updateFeatureSchema = createFeatureSchema.extend({ updatedAt: instantSchema }).partial();

export const createPropertySchema = z.strictObject({
  name: nameSchema,
  propertyKey: propertyKeySchema,
  description: descriptionSchema.optional(),
  type: propertyTypeSchema,
  /** Absent: the type's default (0, false, empty, on). Validated against type and bounds. */
  value: ownValueSchema.optional(),
  bounds: numberBoundsSchema.nullish(),
  conflictResolution: conflictResolutionSchema.default('higher'),
  costs: propertyCostSchema.nullish(),
  balanceOpens: z.boolean().optional(),
});

/** Key and type never change after creation. A request that sends them is refused. */
export const updatePropertySchema = z
  .strictObject({
    name: nameSchema,
    description: descriptionSchema,
    value: ownValueSchema,
    bounds: numberBoundsSchema.nullable(),
    conflictResolution: conflictResolutionSchema,
    costs: propertyCostSchema.nullable(),
    balanceOpens: z.boolean(),
    updatedAt: instantSchema,
  })
  .partial();

/** A system property's name is fixed. Its default and rule can be set. */
export const updateSystemPropertySchema = z
  .strictObject({
    value: ownValueSchema,
    conflictResolution: conflictResolutionSchema,
    updatedAt: instantSchema,
  })
  .partial();

/** What the list of features shows beside the feature. */
export const featureSummarySchema = z.object({
  featureId: z.string(),
  /** Plans with at least one value of it in their current version. */
  planCount: z.int(),
});

const base = '/api/orgs/:orgId/features';

export const featureEndpoints = {
  list: member.get(base, {
    summary: 'List features',
    reads: 'features',
    answer: z.array(featureSchema),
  }),
  /** Reads the values of all plans, so the console loads it apart from the list. */
  listSummaries: member.get('/api/orgs/:orgId/feature-summaries', {
    summary: 'Count the plans of each feature',
    reads: 'plans',
    answer: z.array(featureSummarySchema),
  }),
  create: member.post(base, {
    summary: 'Create a feature',
    changes: ['features', 'plans', 'workspace'],
    body: createFeatureSchema,
    answer: featureSchema,
    status: 201,
  }),
  get: member.get(`${base}/:featureId`, {
    summary: 'Read a feature',
    reads: 'features',
    answer: featureSchema,
  }),
  update: member.put(`${base}/:featureId`, {
    summary: 'Change a feature',
    changes: ['features', 'plans', 'workspace'],
    body: updateFeatureSchema,
    answer: featureSchema,
  }),
  remove: member.remove(`${base}/:featureId`, {
    summary: 'Delete a feature',
    changes: ['features', 'plans', 'workspace'],
  }),
  createProperty: member.post(`${base}/:featureId/properties`, {
    summary: 'Add a property to a feature',
    changes: ['features', 'plans', 'workspace'],
    body: createPropertySchema,
    answer: featurePropertySchema,
    status: 201,
  }),
  updateProperty: member.put(`${base}/:featureId/properties/:propertyId`, {
    summary: 'Change a property',
    changes: ['features', 'plans', 'workspace'],
    body: updatePropertySchema,
    answer: featurePropertySchema,
  }),
  removeProperty: member.remove(`${base}/:featureId/properties/:propertyId`, {
    summary: 'Delete a property',
    changes: ['features', 'plans', 'workspace'],
  }),
  updateSystemProperty: member.put(`${base}/:featureId/system-properties/:propertyId`, {
    summary: 'Change a system property',
    changes: ['features', 'plans', 'workspace'],
    body: updateSystemPropertySchema,
    answer: featurePropertySchema,
  }),
} as const;
