/**
 * A call of a binding that a check waits for: it has an end, and a breaker in this isolate. See docs/architecture.md, "Outages".
 */
import { Breakers } from '#engine/outages/breakers';
import { inTime } from '#engine/outages/in-time';
import { systemClock } from './clock.ts';

const breakersByBinding = new WeakMap<object, Breakers>();

/** The isolate's breakers of what a binding reaches. */
export function breakersOf(binding: object): Breakers {
  let breakers = breakersByBinding.get(binding);
  if (breakers === undefined) {
    breakers = new Breakers();
    breakersByBinding.set(binding, breakers);
  }
  return breakers;
}

/**
 * @param name of the object behind the binding
 * @throws {BreakerOpenError} if it is not called now @throws {SilentError} after `ms` @throws whatever the call throws
 */
export async function guardedCall<Answer>(
  binding: object,
  name: string,
  ms: number,
  call: () => Promise<Answer>,
): Promise<Answer> {
  const breakers = breakersOf(binding);
  breakers.ensureClosed(name, systemClock.now());
  try {
    const answer = await inTime(systemClock, ms, name, call());
    breakers.succeed(name);
    return answer;
  } catch (error) {
    breakers.fail(name, error, systemClock.now());
    throw error;
  }
}
