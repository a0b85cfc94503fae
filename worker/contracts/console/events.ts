/** Recorded events: one per access check, counter update or payment-provider event. */
import { z } from 'zod';
import { endpoint } from '../public/endpoint.ts';
import { locationSchema } from '../public/locations.ts';
import { idSchema, instantSchema } from '../public/text.ts';

/** ac: access check; cu: counter update; se: payment-provider event. */
export const eventTypeSchema = z.enum(['ac', 'cu', 'se']);
export type EventType = z.infer<typeof eventTypeSchema>;

/** The `envId` of events that concern the whole organisation: payment-provider events. */
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
  /** The parsed request body; never a key or a token. */
  request: z.unknown(),
  /** The response body. */
  response: z.unknown(),
  integrationId: z.string().nullable(),
  stripeEventType: z.string().nullable(),
  cfRay: z.string().nullable(),
});
export type Event = z.infer<typeof eventSchema>;

/** Maximum length of a search text, in characters. */
export const MAX_SEARCH_TEXT = 30;

/**
 * Search criteria. `timeTo` is the exclusive end of the page: epoch milliseconds, or the previous page's `nextQueryTimeTo`
 * unchanged. Its fraction is a cursor within that millisecond.
 */
export const eventCriteriaSchema = z.strictObject({
  /** An environment's id; null or absent for all. */
  environment: idSchema.nullish(),
  textSearch: z
    .string()
    .trim()
    .max(MAX_SEARCH_TEXT, `Must be at most ${MAX_SEARCH_TEXT} characters`)
    .nullish(),
  timeTo: z.number().min(0).nullish(),
});
export type EventCriteria = z.infer<typeof eventCriteriaSchema>;

/** Criteria in the query string: JSON text. */
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
      /** Null if nothing older is left. Otherwise older events may follow, even if this page is empty. */
      nextQueryTimeTo: z.number().nullable(),
    }),
  }),
} as const;
