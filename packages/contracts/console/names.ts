/** Where names of the workspace are used: slugs of plans and features, keys of properties. Workflows use them as text in their code. */
import { z } from 'zod';
import { member } from '../public/endpoint.ts';
import { idSchema } from '../public/text.ts';

const namedItemSchema = z.enum(['plan', 'feature', 'feature-property']);
export type NamedItemType = z.infer<typeof namedItemSchema>;

/** A workflow whose code has the name as a string literal. */
const workflowUseSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** Of the TypeScript, from 1, in order. */
  lines: z.array(z.int()),
});
export type WorkflowUse = z.infer<typeof workflowUseSchema>;

export const lostNameSchema = z.object({
  /** The slug or key that the last version had. */
  name: z.string(),
  itemType: namedItemSchema,
  itemName: z.string(),
  /** The item's slug in the workspace; null if it was deleted. */
  renamedTo: z.string().nullable(),
  workflows: z.array(workflowUseSchema),
});
export type LostName = z.infer<typeof lostNameSchema>;

export const itemUsesSchema = z.object({
  /** With the name in their code; for a feature also those that set its values, which may have no line. */
  workflows: z.array(workflowUseSchema),
  /** That set the feature or property. */
  plans: z.array(z.object({ id: z.string(), name: z.string() })),
  /** Stripe products that grant the plan. */
  products: z.array(z.object({ id: z.string(), integrationId: z.string(), name: z.string() })),
});
export type ItemUses = z.infer<typeof itemUsesSchema>;

export const nameEndpoints = {
  lost: member.get('/api/orgs/:orgId/artifacts/lost-names', {
    summary: 'List names of the last version that workflows still use and the workspace no longer has',
    reads: 'artifacts',
    answer: z.array(lostNameSchema),
  }),
  uses: member.get('/api/orgs/:orgId/uses', {
    summary: 'List what uses a plan, feature or property of the workspace',
    reads: 'item-uses',
    query: z.strictObject({ itemType: namedItemSchema, itemId: idSchema }),
    answer: itemUsesSchema,
  }),
} as const;
