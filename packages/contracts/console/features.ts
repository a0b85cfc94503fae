/** Features and their typed properties. */
import { z } from 'zod';
import { endpoint } from '../public/endpoint.ts';
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
  propertyTypeSchema,
  propertyValueSchema,
} from '../public/values.ts';

export const MAX_FEATURES = 1000;
export const MAX_PROPERTIES = 100;

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
  value: propertyValueSchema.optional(),
  bounds: numberBoundsSchema.nullish(),
  conflictResolution: conflictResolutionSchema.default('higher'),
});

/** Key and type never change after creation. A request that sends them is refused. */
export const updatePropertySchema = z
  .strictObject({
    name: nameSchema,
    description: descriptionSchema,
    value: propertyValueSchema,
    bounds: numberBoundsSchema.nullable(),
    conflictResolution: conflictResolutionSchema,
    updatedAt: instantSchema,
  })
  .partial();

/** A system property's name is fixed. Its default and rule can be set. */
export const updateSystemPropertySchema = z
  .strictObject({
    value: propertyValueSchema,
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

const guard = { kind: 'member' } as const;
const base = '/api/orgs/:orgId/features';

export const featureEndpoints = {
  list: endpoint({
    method: 'GET',
    path: base,
    guard,
    summary: 'List features',
    answer: z.array(featureSchema),
  }),
  /** Reads the values of all plans, so the console loads it apart from the list. */
  listSummaries: endpoint({
    method: 'GET',
    path: '/api/orgs/:orgId/feature-summaries',
    guard,
    summary: 'Count the plans of each feature',
    answer: z.array(featureSummarySchema),
  }),
  create: endpoint({
    method: 'POST',
    path: base,
    guard,
    summary: 'Create a feature',
    body: createFeatureSchema,
    answer: featureSchema,
    status: 201,
  }),
  get: endpoint({
    method: 'GET',
    path: `${base}/:featureId`,
    guard,
    summary: 'Read a feature',
    answer: featureSchema,
  }),
  update: endpoint({
    method: 'PUT',
    path: `${base}/:featureId`,
    guard,
    summary: 'Change a feature',
    body: updateFeatureSchema,
    answer: featureSchema,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: `${base}/:featureId`,
    guard,
    summary: 'Delete a feature',
    status: 204,
  }),
  createProperty: endpoint({
    method: 'POST',
    path: `${base}/:featureId/properties`,
    guard,
    summary: 'Add a property to a feature',
    body: createPropertySchema,
    answer: featurePropertySchema,
    status: 201,
  }),
  updateProperty: endpoint({
    method: 'PUT',
    path: `${base}/:featureId/properties/:propertyId`,
    guard,
    summary: 'Change a property',
    body: updatePropertySchema,
    answer: featurePropertySchema,
  }),
  removeProperty: endpoint({
    method: 'DELETE',
    path: `${base}/:featureId/properties/:propertyId`,
    guard,
    summary: 'Delete a property',
    status: 204,
  }),
  updateSystemProperty: endpoint({
    method: 'PUT',
    path: `${base}/:featureId/system-properties/:propertyId`,
    guard,
    summary: 'Change a system property',
    body: updateSystemPropertySchema,
    answer: featurePropertySchema,
  }),
} as const;
