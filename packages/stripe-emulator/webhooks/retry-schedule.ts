// When a failed delivery is repeated: https://docs.stripe.com/webhooks#automatic-retries. In live mode for up to three days with
// growing pauses, in test mode three times within a few hours.

const minute = 60_000;
const hour = 60 * minute;

const testPausesMs = [5 * minute, 30 * minute, 2 * hour];
const livePausesMs = [...testPausesMs, 5 * hour, 10 * hour, 10 * hour, 12 * hour, 12 * hour, 12 * hour];

/**
 * The pause before the next attempt, in milliseconds; undefined after the last one.
 *
 * @param attempts how many were made
 * @param speed by how much all pauses are divided
 */
export function retryPauseMs(livemode: boolean, attempts: number, speed: number): number | undefined {
  const pause = (livemode ? livePausesMs : testPausesMs)[attempts - 1];
  return pause === undefined ? undefined : Math.ceil(pause / speed);
}
