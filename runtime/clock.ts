/** The clock of the machine, for what takes its clock as an argument. */
import type { Clock } from '#engine/outages/in-time';

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, call) {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
};
