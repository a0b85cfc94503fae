import { createTessera } from 'tessera-sdk';

export const degraded: string[] = [];

export const tessera = createTessera({
  timeoutMs: 800, // for one attempt; the default is 1,500
  cache: { maxSubjects: 50_000, staleMs: 4 * 3_600_000 }, // the default is 10,000 for an hour
  onEvent(event) {
    if (event.type === 'answer' && event.error) degraded.push(`${event.source}: ${event.error.type}`);
  },
});
