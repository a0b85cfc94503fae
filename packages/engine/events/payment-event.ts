/** An event of Stripe's as the event stream records it: it concerns every environment, and no call. */
import type { RecordedEvent } from '#contracts/internal/event-batch';

type Known =
  | 'id'
  | 'time'
  | 'envId'
  | 'subjectIdentifier'
  | 'secondarySubjectIdentifiers'
  | 'request'
  | 'response'
  | 'integrationId'
  | 'stripeEventType';

export const paymentEvent = (known: Pick<RecordedEvent, Known>): RecordedEvent => ({
  ...known,
  type: 'se',
  environmentType: null,
  key: null,
  timings: null,
  nearLimits: null,
  isError: false,
  isDenied: false,
  warnings: [],
  denials: [],
  error: null,
  place: { country: null, city: null, continent: null },
  planSlugs: [],
  featureSlugs: [],
  readDataLocations: [],
  writeDataLocations: [],
  features: null,
  cfRay: null,
});
