/** The entities of a customer, such as the members of a team: whose usage was counted, and what plans allow each. */
import { z } from 'zod';
import { answered } from './errors.ts';
import { WARNINGS_FIELD } from './field-sentences.ts';
import { hasSeatSchema } from './metering.ts';
import { warningSchema } from './subjects.ts';

/** Of one page. */
export const ENTITIES_PER_PAGE = 100;

export const entityMeterSchema = z
  .object({
    feature: z.string().describe('The feature’s slug.'),
    property: z.string().describe('The property’s key.'),
    limit: z
      .int()
      .nullable()
      .describe('The limit of each entity per period; null if the customer’s plans limit none.'),
    used: z.int().describe('What the entity has used in its period; of all time without a limit.'),
    held: z.int().optional().describe('What open holds of the entity have taken. Absent without any.'),
    remaining: z.int().nullable().describe('What is left of the limit; null without one.'),
    allowed: z.boolean().describe('Whether its own limit allows the entity more.'),
    hasSeat: hasSeatSchema,
    resetsAt: z
      .int()
      .nullable()
      .describe('When its usage next resets or expires, in epoch milliseconds; null if never.'),
  })
  .describe('What an entity has used of a property.');
export type EntityMeter = z.infer<typeof entityMeterSchema>;

export const entitySchema = z
  .object({
    id: z.string().describe('The entityId that its usage was counted for.'),
    meters: z
      .array(entityMeterSchema)
      .describe('The meters of which any plan of the deployed version limits each entity.'),
  })
  .describe('One of a customer’s entities.');
export type Entity = z.infer<typeof entitySchema>;

export const listEntitiesSchema = z.strictObject({
  cursor: z.string().min(1).max(200).optional().describe('nextCursor of the page before.'),
});

export const entitiesAnswerSchema = z
  .object({
    ...answered,
    entities: z.array(entitySchema).describe('In the order of their IDs, at most 100.'),
    nextCursor: z.string().nullable().describe('For the next page; null on the last one.'),
    warnings: z.array(warningSchema).describe(WARNINGS_FIELD),
  })
  .describe('The entities of a customer.');
export type EntitiesAnswer = z.infer<typeof entitiesAnswerSchema>;
