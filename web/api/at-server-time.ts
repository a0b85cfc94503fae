/** Makes a call that names an instant. */
import { clockLead, now } from '#web/clock.ts';

/** @param make called again if an answer tells meanwhile that the browser's clock, from which the instant was made, is off */
export async function atServerTime<Answer>(make: (at: number) => Promise<Answer>): Promise<Answer> {
  const lead = clockLead();
  const answer = await make(now());
  return clockLead() === lead ? answer : make(now());
}
