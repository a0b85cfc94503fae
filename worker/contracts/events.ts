/** An event: one access check, counter update or payment-provider event, as it is recorded, searched and watched. */
import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { locationSchema } from './locations.ts';
import { idSchema, instantSchema } from './text.ts';

/** ac: access check; cu: counter update; se: payment-provider event. */
export const eventTypeSchema = z.enum(['ac', 'cu', 'se']);
export type EventType = z.infer<typeof eventTypeSchema>;

/** The `envId` of what concerns an organisation and none of its environments more than another: Stripe's events. */
export const NO_ENVIRONMENT = '';

export const eventSchema = z.object({
  id: z.string(),
  time: instantSchema,
  /** NO_ENVIRONMENT for payment-provider events. */
  envId: z.string(),
  type: eventTypeSchema,
  isError: z.boolean(),
  isWarning: z.boolean(),
  /** The canonical identifier; null for anonymous subjects. */
  subjectIdentifier: z.string().nullable(),
  secondarySubjectIdentifiers: z.array(z.string()),
  detail: z.object({
    countryCode: z.string().nullable(),
    city: z.string().nullable(),
    continent: z.string().nullable(),
    planSlugs: z.array(z.string()),
  }),
  readDataLocations: z.array(locationSchema),
  writeDataLocations: z.array(locationSchema),
  /** The request's body as it was understood; never a key or a token. */
  request: z.unknown(),
  /** The answer's body as it was given. */
  response: z.unknown(),
  integrationId: z.string().nullable(),
  stripeEventType: z.string().nullable(),
  cfRay: z.string().nullable(),
});
export type Event = z.infer<typeof eventSchema>;

/** Characters of a search text (spec, domain screens, section 5). */
export const MAX_SEARCH_TEXT = 30;

/**
 * What is searched for. `timeTo` ends the page, exclusively: epoch milliseconds, or a `nextQueryTimeTo` as it came, whose
 * fraction says how far the events of that millisecond have been read.
 */
export const eventCriteriaSchema = z.strictObject({
  /** An environment's id; null or absent: all of them. */
  environment: idSchema.nullish(),
  textSearch: z
    .string()
    .trim()
    .max(MAX_SEARCH_TEXT, `Must be at most ${MAX_SEARCH_TEXT} characters`)
    .nullish(),
  timeTo: z.number().min(0).nullish(),
});
export type EventCriteria = z.infer<typeof eventCriteriaSchema>;

/** Criteria as they stand in the query: JSON text. */
const criteriaTextSchema = z
  .string()
  .max(1000, 'Must be at most 1000 characters')
  .default('{}')
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue({ code: 'custom', message: 'Must be JSON' });
      return z.NEVER;
    }
  })
  .pipe(eventCriteriaSchema);

export const eventEndpoints = {
  search: endpoint({
    method: 'GET',
    path: '/api/orgs/:orgId/event-search',
    guard: { kind: 'member' },
    summary: 'Recorded events, newest first',
    query: z.strictObject({ criteria: criteriaTextSchema }),
    answer: z.object({
      events: z.array(eventSchema),
      /** Null: nothing older is left. Otherwise older events may follow, also where this page is empty. */
      nextQueryTimeTo: z.number().nullable(),
    }),
  }),
} as const;
