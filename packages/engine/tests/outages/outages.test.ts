import { describe, expect, it } from 'vitest';
import { BreakerOpenError, Breakers } from '#engine/outages/breakers';
import { stageEnd } from '#engine/outages/budget';
import { firstAnswer } from '#engine/outages/first-answer';
import { type Clock, inTime, SilentError } from '#engine/outages/in-time';
import { TokenBucket } from '#engine/outages/token-bucket';

/** A clock that the test moves. */
class FakeClock implements Clock {
  readonly #timers = new Set<{ readonly at: number; readonly call: () => void }>();
  #now = 1_000;

  now(): number {
    return this.#now;
  }

  after(ms: number, call: () => void): () => void {
    const timer = { at: this.#now + ms, call };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  get timers(): number {
    return this.#timers.size;
  }

  async pass(ms: number): Promise<void> {
    this.#now += ms;
    for (const timer of this.#timers) {
      if (timer.at > this.#now) continue;
      this.#timers.delete(timer);
      timer.call();
    }
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  }
}

const never = () => new Promise<never>(() => undefined);

describe('a limit of so many at once, and so many a second', () => {
  it('is refilled with time, and never above what is allowed at once', () => {
    const bucket = new TokenBucket(3, 2);
    const taken = (now: number) => Array.from({ length: 5 }, () => bucket.take(now)).filter(Boolean).length;
    expect([taken(1_000), taken(1_499), taken(1_500), taken(2_500), taken(60_000)]).toEqual([3, 0, 1, 2, 3]);
    bucket.giveBack();
    expect(taken(60_000)).toBe(1);
  });
});

describe('an answer in time', () => {
  it('is the answer, and so is a failure; neither leaves a timer behind', async () => {
    const clock = new FakeClock();
    await expect(inTime(clock, 10, 'It', Promise.resolve('yes'))).resolves.toBe('yes');
    await expect(inTime(clock, 10, 'It', Promise.reject(new Error('down')))).rejects.toThrow('down');
    expect(clock.timers).toBe(0);
  });

  it('that does not come is a SilentError, and a later failure is nobody’s', async () => {
    const clock = new FakeClock();
    const { promise, reject } = Promise.withResolvers<never>();
    const waiting = expect(inTime(clock, 10, 'It', promise)).rejects.toThrow(SilentError);
    await clock.pass(10);
    await waiting;
    reject(new Error('too late'));
  });
});

describe('the first answer', () => {
  const patience = (clock: Clock) => ({ hedgeMs: 300, endsAt: clock.now() + 1_000 });

  it('is the only call while the first source answers', async () => {
    const clock = new FakeClock();
    const calls = function* () {
      yield async () => 'first';
      throw new Error('was called');
    };
    await expect(firstAnswer(clock, 'They', patience(clock), calls())).resolves.toBe('first');
  });

  it('comes from the next source once the first has failed, or was silent for a while', async () => {
    const clock = new FakeClock();
    const failing = async () => {
      throw new Error('down');
    };
    await expect(firstAnswer(clock, 'They', patience(clock), [failing, async () => 'next'])).resolves.toBe(
      'next',
    );
    const hedged = firstAnswer(clock, 'They', patience(clock), [never, async () => 'next']);
    await clock.pass(300);
    await expect(hedged).resolves.toBe('next');
  });

  it('may still come from the first source after the next was called', async () => {
    const clock = new FakeClock();
    const { promise, resolve } = Promise.withResolvers<string>();
    const hedged = firstAnswer(clock, 'They', patience(clock), [() => promise, never]);
    await clock.pass(300);
    resolve('late');
    await expect(hedged).resolves.toBe('late');
  });

  it('ends with the caller’s patience, and leaves no timer behind', async () => {
    const clock = new FakeClock();
    const silent = expect(firstAnswer(clock, 'They', patience(clock), [never, never])).rejects.toThrow(
      SilentError,
    );
    await clock.pass(300);
    await clock.pass(300);
    await clock.pass(400);
    await silent;
    expect(clock.timers).toBe(0);
  });
});

describe('a breaker', () => {
  const overloaded = Object.assign(new Error('too many calls'), { overloaded: true });

  it('opens after failures in a row only, and then lets one call a second through', () => {
    const breakers = new Breakers();
    const isOpen = (now: number) => {
      try {
        breakers.ensureClosed('it', now);
        return false;
      } catch (error) {
        return error instanceof BreakerOpenError;
      }
    };
    for (let failure = 0; failure < 2; failure++) breakers.fail('it', new Error('down'), 0);
    breakers.succeed('it');
    for (let failure = 0; failure < 3; failure++) {
      expect(isOpen(0)).toBe(false);
      breakers.fail('it', new Error('down'), 0);
    }
    expect([isOpen(0), isOpen(999), isOpen(1_000), isOpen(1_000)]).toEqual([true, true, false, true]);
    breakers.succeed('it');
    expect(isOpen(1_000)).toBe(false);
  });

  it('says of an overloaded object that it is overloaded, and leaves others alone', () => {
    const breakers = new Breakers();
    for (let failure = 0; failure < 3; failure++) breakers.fail('it', overloaded, 0);
    expect(() => breakers.ensureClosed('it', 0)).toThrow(expect.objectContaining({ overloaded: true }));
    expect(() => breakers.ensureClosed('another', 0)).not.toThrow();
  });
});

it('a stage ends with its share of the budget, or with the call', () => {
  expect(stageEnd(1_000, 500, undefined)).toBe(1_500);
  expect(stageEnd(1_000, 500, 2_000)).toBe(1_500);
  expect(stageEnd(1_000, 500, 1_200)).toBe(1_200);
});
