/** An event: one access check, counter update or payment-provider event, as it is recorded, searched and watched. */
import { z } from 'zod';
import { locationSchema } from './locations.ts';
import { instantSchema } from './text.ts';

/** ac: access check; cu: counter update; se: payment-provider event. */
export const eventTypeSchema = z.enum(['ac', 'cu', 'se']);
export type EventType = z.infer<typeof eventTypeSchema>;

export const eventSchema = z.object({
  id: z.string(),
  time: instantSchema,
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
