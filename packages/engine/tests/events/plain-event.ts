/** An event of which only what a test changes matters: a check, unless it says otherwise. */
import type { RecordedEvent } from '#contracts/internal/event-batch';

export function plainEvent(changes: Partial<RecordedEvent>): RecordedEvent {
  return {
    id: 'evt_1',
    time: 0,
    envId: 'env_a',
    environmentType: null,
    type: 'ac',
    key: null,
    timings: null,
    isError: false,
    isDenied: false,
    warnings: [],
    denials: [],
    nearLimits: null,
    subjectIdentifier: null,
    secondarySubjectIdentifiers: [],
    place: { country: null, city: null, continent: null },
    planSlugs: [],
    featureSlugs: [],
    readDataLocations: [],
    writeDataLocations: [],
    request: {},
    response: '{}',
    features: null,
    error: null,
    integrationId: null,
    stripeEventType: null,
    cfRay: null,
    ...changes,
  };
}
