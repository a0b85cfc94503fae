import { type CountedUpdate, createTessera } from 'tessera-sdk';

/** Usage that was refused, or that nobody took for 24 hours. Replace the array with a table or a queue. */
export const undelivered: CountedUpdate[] = [];

export const tessera = createTessera({
  buffer: {
    flushAfterMs: 250, // how long usage waits for more; the default
    onUndelivered: (updates) => void undelivered.push(...updates),
  },
});
