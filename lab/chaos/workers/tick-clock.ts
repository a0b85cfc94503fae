/**
 * Deadlines and durations in turns of the event loop instead of the machine's time: on a busy machine both get slower alike, so whether
 * a wait ended at its deadline does not depend on the load.
 */
const TICK_MS = 50;

export class TickClock {
  /** As `Clock.after`. */
  readonly after = (ms: number, call: () => void): (() => void) => {
    let left = Math.ceil(ms / TICK_MS);
    const timer = setInterval(() => {
      left -= 1;
      if (left > 0) return;
      clearInterval(timer);
      call();
    }, TICK_MS);
    return () => clearInterval(timer);
  };

  /** @returns ends the measurement, and returns its milliseconds */
  start(): () => number {
    let ticks = 0;
    const timer = setInterval(() => {
      ticks += 1;
    }, TICK_MS);
    return () => {
      clearInterval(timer);
      return ticks * TICK_MS;
    };
  }
}
