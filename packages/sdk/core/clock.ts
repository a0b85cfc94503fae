/** Time that only goes forward, for how long an answer, a pause or a wait lasts. `Date.now` is for instants that are sent or shown. */

let elapsed = 0;
let wall = 0;
let monotonic = 0;

/**
 * Milliseconds since some instant. A wall clock that is set back adds nothing, so that no answer lives longer; time that a sleeping machine's
 * monotonic clock has missed counts.
 */
export function elapsedMs(): number {
  const [nowWall, nowMonotonic] = [Date.now(), performance.now()];
  elapsed += Math.max(nowWall - wall, nowMonotonic - monotonic, 0);
  [wall, monotonic] = [nowWall, nowMonotonic];
  return elapsed;
}
