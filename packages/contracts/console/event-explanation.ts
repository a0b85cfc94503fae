/** Why a recorded access check answered as it did, and what the same check would answer now. */
import { z } from 'zod';
import { explanationSchema, propertyAnswerSchema } from '../public/access.ts';
import { customerReader } from '../public/endpoint.ts';
import { warningSchema } from '../public/subjects.ts';

/** What decided a value. `other`: an override that applied then, or a workflow whose result was not stored. */
export const deciderSchema = z.union([explanationSchema.shape.decidedBy, z.literal('other')]);
export type Decider = z.infer<typeof deciderSchema>;

const sideSchema = z.object({
  value: propertyAnswerSchema,
  /** Null if the version that decided it no longer exists. */
  decidedBy: deciderSchema.nullable(),
  reason: z.string(),
});
export type ExplainedValue = z.infer<typeof sideSchema>;

const versionSchema = z.object({ artifactId: z.string(), number: z.int().nullable() }).nullable();

export const eventExplanationSchema = z.object({
  /** The version that answered. Null if nothing was deployed. */
  version: versionSchema,
  plans: z.array(z.string()),
  /** The same check against the environment as it is now. Null if the environment was deleted. */
  now: z
    .object({ version: versionSchema, plans: z.array(z.string()), warnings: z.array(warningSchema) })
    .nullable(),
  /** Each property of the recorded answer, then those that only the answer of now has. */
  properties: z.array(
    z.object({
      feature: z.string(),
      property: z.string(),
      /** Null if the recorded answer did not have it. */
      recorded: sideSchema.nullable(),
      /** Null if it no longer exists. */
      now: sideSchema.nullable(),
      /** Whether the value differs, apart from the usage of a meter. */
      isChanged: z.boolean(),
    }),
  ),
});
export type EventExplanation = z.infer<typeof eventExplanationSchema>;

export const eventExplanationEndpoints = {
  explain: customerReader.get('/api/orgs/:orgId/events/:eventId/explanation', {
    summary: 'Explain a recorded access check, and what it would return now',
    reads: 'events',
    answer: eventExplanationSchema,
  }),
} as const;
