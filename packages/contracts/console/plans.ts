/** Plans, their grants, and their versions: the property values that a plan configures. */
import { z } from 'zod';
import { member } from '../public/endpoint.ts';
import { descriptionSchema, idSchema, instantSchema, nameSchema, slugSchema } from '../public/text.ts';
import { propertyTypeSchema, propertyValueSchema } from '../public/values.ts';

export const MAX_PLANS = 1000;
export const MAX_PLAN_PRODUCTS = 200;

/** A product of a connected Stripe account, or one of its prices: customers who subscribe to it get the plan. */
export const productMappingSchema = z.object({
  integrationId: z.string(),
  productId: z.string(),
  /** Absent: any price of the product. */
  priceId: z.string().optional(),
  /** The price's name when it was linked. */
  priceName: z.string().optional(),
  /** The plan's numbers and limits are multiplied by the subscribed quantity. */
  timesQuantity: z.boolean().optional(),
});
export type ProductMapping = z.infer<typeof productMappingSchema>;

export const planSchema = z.object({
  planId: z.string(),
  name: z.string(),
  planSlug: z.string(),
  description: z.string().nullable(),
  grantToAnonymousSessions: z.boolean(),
  grantToAuthenticatedUsers: z.boolean(),
  /** Counts only beside a plan that is no add-on. */
  isAddOn: z.boolean(),
  /** Anyone with a public key can list it. */
  isPublic: z.boolean(),
  /** Incremented by every change of the plan's values. */
  currentVersion: z.int(),
  grantProductMappings: z.array(productMappingSchema),
  createdAt: instantSchema,
  updatedAt: instantSchema,
});
export type Plan = z.infer<typeof planSchema>;

export const createPlanSchema = z.strictObject({
  name: nameSchema,
  slug: slugSchema,
  description: descriptionSchema.optional(),
});

export const updatePlanSchema = z
  .strictObject({
    name: nameSchema,
    slug: slugSchema,
    description: descriptionSchema,
    grantToAnonymousSessions: z.boolean(),
    grantToAuthenticatedUsers: z.boolean(),
    isAddOn: z.boolean(),
    isPublic: z.boolean(),
    updatedAt: instantSchema,
  })
  .partial();

/** One configured property. `type` must equal the property's type. */
export const planValueSchema = z.strictObject({
  id: idSchema,
  type: propertyTypeSchema,
  value: propertyValueSchema,
});
export type PlanValue = z.infer<typeof planValueSchema>;

/**
 * Keyed by feature id. A feature listed with no values is not part of the plan. Saving turns on a feature whose values leave its system property
 * out.
 */
export const planPropertiesSchema = z.record(z.string().max(64), z.array(planValueSchema).max(200));
export type PlanProperties = z.infer<typeof planPropertiesSchema>;

export const planVersionSchema = z.object({
  planId: z.string(),
  version: z.int(),
  currentVersion: z.int(),
  properties: planPropertiesSchema,
  createdAt: instantSchema,
  createdByUserId: z.string().nullable(),
});
export type PlanVersion = z.infer<typeof planVersionSchema>;

/** What the list of plans shows beside the plan. */
export const planSummarySchema = z.object({
  planId: z.string(),
  /** Features with at least one value in the current version. */
  featureCount: z.int(),
  /**
   * Customers who are subscribed to a linked product or have a manual grant, in any environment. All known customers, if everyone who
   * is signed in has the plan and it is no add-on.
   */
  customerCount: z.int(),
  /** The last change of the plan's details or values. */
  changedAt: instantSchema,
});
export type PlanSummary = z.infer<typeof planSummarySchema>;

/** Plans in one answer of `listVersions`: few, because the console checks an answer in one go. */
export const PLAN_VERSIONS_PER_PAGE = 10;

export const updatePlanVersionSchema = z.strictObject({ properties: planPropertiesSchema });

const productReferenceSchema = z.strictObject({
  integrationId: idSchema,
  productId: z.string().min(1, 'Required').max(255),
  priceId: z.string().min(1, 'Required').max(255).optional(),
});

export const updatePlanProductsSchema = z.strictObject({
  addProducts: z
    .array(
      productReferenceSchema.extend({
        /** The plan's `currentVersion` when the product was chosen (optimistic lock). */
        version: z.int().min(1),
        /** Also changes an existing link. */
        timesQuantity: z.boolean().optional(),
      }),
    )
    .max(MAX_PLAN_PRODUCTS)
    .optional(),
  removeProducts: z.array(productReferenceSchema).max(MAX_PLAN_PRODUCTS).optional(),
});

const base = '/api/orgs/:orgId/plans';

export const planEndpoints = {
  list: member.get(base, { summary: 'List plans', reads: 'plans', answer: z.array(planSchema) }),
  create: member.post(base, {
    summary: 'Create a plan',
    changes: ['plans', 'workspace'],
    body: createPlanSchema,
    answer: planSchema,
    status: 201,
  }),
  get: member.get(`${base}/:planId`, {
    summary: 'Read a plan',
    reads: 'plans',
    answer: planSchema,
  }),
  update: member.put(`${base}/:planId`, {
    summary: 'Change a plan',
    changes: ['plans', 'workspace'],
    body: updatePlanSchema,
    answer: planSchema,
  }),
  remove: member.remove(`${base}/:planId`, { summary: 'Delete a plan', changes: ['plans', 'workspace'] }),
  /** Reads all customers of the organisation, so the console loads it apart from the list. */
  listSummaries: member.get('/api/orgs/:orgId/plan-summaries', {
    summary: 'Count features and customers of each plan',
    reads: 'plans',
    answer: z.array(planSummarySchema),
  }),
  /** In the order of the list of plans. */
  listVersions: member.get('/api/orgs/:orgId/plan-versions', {
    summary: 'Read the current values of many plans',
    reads: 'plans',
    query: z.strictObject({
      /** The last plan of the previous page. */
      after: idSchema.optional(),
    }),
    answer: z.object({
      versions: z.array(planVersionSchema),
      /** For the next page; null: this is the last one. */
      next: z.string().nullable(),
    }),
  }),
  getVersion: member.get(`${base}/:planId/versions/:version`, {
    summary: "Read the values of a plan's version",
    reads: 'plans',
    answer: planVersionSchema,
  }),
  /**
   * The path names the version that was edited (optimistic lock). If it is still current, the values become the next
   * version. Otherwise the response is a conflict that contains the current version.
   */
  updateVersion: member.put(`${base}/:planId/versions/:version`, {
    summary: "Replace a plan's values",
    changes: ['plans', 'summary', 'workspace'],
    body: updatePlanVersionSchema,
    answer: planVersionSchema,
  }),
  /** All or nothing. Existing links remain. */
  updateProducts: member.put(`${base}/:planId/products`, {
    summary: 'Link Stripe products or prices to a plan, and unlink others',
    changes: ['plans', 'stripe-integrations', 'stripe-products', 'workspace'],
    body: updatePlanProductsSchema,
    answer: planSchema,
  }),
  removeProduct: member.remove(`${base}/:planId/products/integration/:integrationId/products/:productId`, {
    summary: 'Unlink one Stripe product from a plan, or one of its prices',
    changes: ['plans', 'stripe-integrations', 'stripe-products', 'workspace'],
    query: z.strictObject({ priceId: z.string().max(255).optional() }),
    answer: planSchema,
  }),
} as const;
