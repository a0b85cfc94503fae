/** Recorded events: one per access check, counter update or payment-provider event. */
import { z } from 'zod';
import { apiKeyTypeSchema } from '../public/api-key-type.ts';
import { customerReader } from '../public/endpoint.ts';
import { MAX_IDENTIFIER } from '../public/identifiers.ts';
import { locationSchema } from '../public/locations.ts';
import {
  givenInstantSchema,
  idSchema,
  instantSchema,
  jsonTextSchema,
  MAX_GIVEN_INSTANT,
  slugSchema,
} from '../public/text.ts';
import { denialSchema } from '../public/verdict.ts';
import { environmentTypeSchema } from './environment-type.ts';
import { recordedRunSchema, runCriteriaSchema, workflowExecutionSchema } from './workflow-executions.ts';

/** ac: access check; cu: counter update; se: payment-provider event. */
export const eventTypeSchema = z.enum(['ac', 'cu', 'se']);
export type EventType = z.infer<typeof eventTypeSchema>;

/**
 * How a call ended, for lists and charts. The first that applies: error, denied, warning, allowed. A call is denied if a feature
 * that it names or counts on is not allowed; a check that does neither is denied if no feature is.
 */
export const outcomeSchema = z.enum(['allowed', 'denied', 'warning', 'error']);
export type EventOutcome = z.infer<typeof outcomeSchema>;

/** The `envId` of events that concern the whole organisation: payment-provider events. */
export const NO_ENVIRONMENT = '';

/**
 * What usage was taken from: the quota of the plans; what a hold had taken before, so by its settlement; or a balance by its ID, which
 * is found too where something was given back to it.
 */
export type DrewFrom = 'quota' | 'held' | `balance:${string}`;
const DREW_FROM = new RegExp(`^(quota|held|balance:.{1,${MAX_IDENTIFIER}})$`, 'su');
export const isDrewFrom = (text: string): text is DrewFrom => DREW_FROM.test(text);
const drewFromSchema = z.custom<DrewFrom>(
  (given) => typeof given === 'string' && isDrewFrom(given),
  'Must be quota, held, or balance: and the balance’s ID',
);

export const eventSchema = z.object({
  id: z.string(),
  time: instantSchema,
  /** NO_ENVIRONMENT for payment-provider events. */
  envId: z.string(),
  /** Null for payment-provider events, and for events recorded before this field existed; so are the other nulls below. */
  environmentType: environmentTypeSchema.nullable(),
  type: eventTypeSchema,
  /** The call is about a hold, and its type `cu`. Absent in events that an earlier version reads. */
  isHold: z.boolean().optional(),
  outcome: outcomeSchema,
  isError: z.boolean(),
  isWarning: z.boolean(),
  /** The API key. */
  key: z.object({ id: z.string(), type: apiKeyTypeSchema }).nullable(),
  /** Answers that the client has given from its caches since its last call. Absent in events that an earlier version reads. */
  answered: z.int().optional(),
  /** Milliseconds, as in Server-Timing; `total` from the request's arrival to the response. */
  latency: z
    .object({
      total: z.number(),
      auth: z.number(),
      snapshot: z.number(),
      ledger: z.number(),
      /** 0 if none ran, and in events recorded before this field existed. */
      workflows: z.number(),
      evaluate: z.number(),
    })
    .nullable(),
  /** Whether the environment's snapshot had to be fetched first. */
  isCold: z.boolean().nullable(),
  warningCodes: z.array(z.string()),
  /**
   * Slugs of the features that were not allowed. In events recorded before `denials` existed, also of features with another property that is
   * off, or with one of several meters used up.
   */
  deniedFeatures: z.array(z.string()),
  /** Why each of them was not; null in events recorded before this field existed. */
  denials: z.array(denialSchema).nullable(),
  /** How many workflows ran in this call, and how many failed. workflow-execution-search returns the executions. */
  workflowExecutions: z.object({ total: z.number(), failed: z.number() }),
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
/** IDs that are longer, and are searched for whole: of holds, and of balances that were given one. */
const LONG_ID = /^(?:hold_[a-z]{2,4}_[0-9a-z]{1,4}_|bal_(?:m_)?)[0-9a-z]{26}$/;
/** How many characters of a text are searched for. */
export const searchedLength = (text: string) => (LONG_ID.test(text.trim()) ? text.length : MAX_SEARCH_TEXT);
/** Maximum number of a histogram's buckets. */
export const MAX_HISTOGRAM_BUCKETS = 60;

/**
 * Search criteria; null or absent is no restriction. `timeTo` is the exclusive end of the page: epoch milliseconds, or the
 * previous page's `nextQueryTimeTo` unchanged. Its fraction is a cursor within that millisecond.
 */
export const eventCriteriaSchema = z.strictObject({
  /** An environment's id. Payment-provider events belong to no environment and are found in each. */
  environment: idSchema.nullish(),
  /** An event's id, or that of its request, finds exactly that event. */
  textSearch: z
    .string()
    .trim()
    .refine(
      (text) => text.length <= searchedLength(text),
      `Must be at most ${MAX_SEARCH_TEXT} characters, or the ID of a hold or balance`,
    )
    .nullish(),
  /** One of the event's identifiers as it was recorded, or another name of the same customer. */
  subject: z.string().min(1).max(MAX_IDENTIFIER, `Must be at most ${MAX_IDENTIFIER} characters`).nullish(),
  type: eventTypeSchema.nullish(),
  /** Only calls about holds, whose type is `cu`; false: only others. */
  isHold: z.boolean().nullish(),
  drewFrom: drewFromSchema.nullish(),
  outcome: outcomeSchema.nullish(),
  plan: slugSchema.nullish(),
  /** A feature that was checked or counted. */
  feature: slugSchema.nullish(),
  country: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^[A-Z0-9]{2}$/, 'Must be a country code of 2 letters')
    .nullish(),
  /** The earliest instant, inclusive. */
  timeFrom: givenInstantSchema.nullish(),
  timeTo: z.number().min(0).max(MAX_GIVEN_INSTANT).nullish(),
});
export type EventCriteria = z.infer<typeof eventCriteriaSchema>;

const YEAR_MS = 366 * 86_400_000;

export const histogramCriteriaSchema = eventCriteriaSchema
  .pick({ environment: true, type: true, outcome: true })
  .extend({ timeFrom: givenInstantSchema, timeTo: givenInstantSchema })
  .refine(({ timeFrom, timeTo }) => timeFrom < timeTo, {
    path: ['timeTo'],
    message: 'Must be later than timeFrom',
  })
  .refine(({ timeFrom, timeTo }) => timeTo - timeFrom <= YEAR_MS, {
    path: ['timeFrom'],
    message: 'Must be at most a year before timeTo',
  });
export type HistogramCriteria = z.infer<typeof histogramCriteriaSchema>;

const MAX_CRITERIA_LENGTH = 2000;

/** Criteria in the query string: JSON text. */
export const criteriaText = <Schema extends z.ZodType>(schema: Schema) =>
  jsonTextSchema(MAX_CRITERIA_LENGTH).prefault('{}').pipe(schema);

export const exportFormatSchema = z.enum(['csv', 'ndjson']);
export type ExportFormat = z.infer<typeof exportFormatSchema>;

export const eventEndpoints = {
  search: customerReader.get('/api/orgs/:orgId/event-search', {
    summary: 'Recorded events, newest first',
    reads: 'events',
    query: z.strictObject({ criteria: criteriaText(eventCriteriaSchema) }),
    answer: z.object({
      events: z.array(eventSchema),
      /** Null if nothing older is left. Otherwise older events may follow, even if this page is empty. */
      nextQueryTimeTo: z.number().nullable(),
    }),
  }),
  get: customerReader.get('/api/orgs/:orgId/events/:eventId', {
    summary: 'One recorded event',
    reads: 'events',
    answer: eventSchema,
  }),
  /** A file of at most 100,000 events, newest first. */
  export: customerReader.get('/api/orgs/:orgId/event-export', {
    summary: 'Download the events of a search',
    query: z.strictObject({ criteria: criteriaText(eventCriteriaSchema), format: exportFormatSchema }),
    isRaw: true,
  }),
  searchExecutions: customerReader.get('/api/orgs/:orgId/workflow-execution-search', {
    summary: "The workflow executions of an event's call",
    reads: 'events',
    query: z.strictObject({ criteria: criteriaText(z.strictObject({ eventId: idSchema })) }),
    answer: z.object({ executions: z.array(workflowExecutionSchema) }),
  }),
  searchRuns: customerReader.get('/api/orgs/:orgId/workflow-run-search', {
    summary: "A workflow's runs, newest first",
    reads: 'events',
    query: z.strictObject({ criteria: criteriaText(runCriteriaSchema) }),
    answer: z.object({
      runs: z.array(recordedRunSchema),
      /** Null if nothing older is left. Otherwise older runs may follow, even if this page is empty. */
      nextQueryTimeTo: z.number().nullable(),
    }),
  }),
  histogram: customerReader.get('/api/orgs/:orgId/event-histogram', {
    summary: 'Number of events over time, by outcome',
    reads: 'events',
    query: z.strictObject({ criteria: criteriaText(histogramCriteriaSchema) }),
    answer: z.object({
      bucketMs: z.number(),
      /** About when the oldest event was recorded that can be listed: counts outlive events. Null if all events still can. */
      eventsFrom: instantSchema.nullable(),
      /** Without gaps. The first begins at or before `timeFrom`, the last ends at or after `timeTo`. */
      buckets: z.array(
        z.object({
          at: instantSchema,
          allowed: z.int(),
          denied: z.int(),
          warning: z.int(),
          error: z.int(),
        }),
      ),
    }),
  }),
} as const;
