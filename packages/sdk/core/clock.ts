/** Time that only goes forward, for how long an answer, a pause or a wait lasts. `Date.now` is for instants that are sent or shown. */

let elapsed = 0;
let wall = 0;
let monotonic = 0;
let passed = 0;

/**
 * Milliseconds since some instant. A wall clock that is set back adds nothing, so that no answer lives longer; time that a sleeping machine's
 * monotonic clock has missed counts. The monotonic clock, which takes longer to read, is asked once a second and when the other one went back.
 */
export function elapsedMs(): number {
  const now = Date.now();
  let ahead = now - wall;
  if (ahead < passed || ahead > 999) {
    const steady = performance.now();
    elapsed += Math.max(ahead, steady - monotonic, passed);
    ahead = 0;
    wall = now;
    monotonic = steady;
  }
  passed = ahead;
  return elapsed + ahead;
}
