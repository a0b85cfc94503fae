/** Templates: features, plans, a deployed version, keys and an example customer, to see checks work before anything is built. */
import { z } from 'zod';
import { member } from '../public/endpoint.ts';
import { denialReasonSchema } from '../public/verdict.ts';

export const templateSchema = z.enum(['seats', 'api-limits', 'ai-tokens', 'ai-credits']);
export type TemplateId = z.infer<typeof templateSchema>;

export const appliedTemplateSchema = z.object({
  template: templateSchema,
  /** It has the template's smaller plan, and has used up a limit. */
  customer: z.string(),
  /** It has no plan. */
  customerWithoutPlan: z.string(),
  /** One that is allowed, one that the plan does not include, one at its limit. */
  checks: z.array(
    z.object({
      feature: z.string(),
      featureName: z.string(),
      /** Null: it is allowed. */
      denial: denialReasonSchema.nullable(),
    }),
  ),
  /** Production, then Test: each runs the version. */
  environments: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      type: z.enum(['live', 'test']),
      keyId: z.string(),
      secretKey: z.string(),
    }),
  ),
});
export type AppliedTemplate = z.infer<typeof appliedTemplateSchema>;

export const templateEndpoints = {
  /** Repeating it adds what is missing, and changes nothing that is there. */
  apply: member.post('/api/orgs/:orgId/templates', {
    summary: 'Add a template to the workspace and deploy it',
    changes: ['features', 'plans', 'api-keys', 'customers', 'events', 'usage', 'workspace'],
    body: z.strictObject({ template: templateSchema }),
    answer: appliedTemplateSchema,
  }),
} as const;
