// How often isolates send an organisation's events.
import { describe, expect, it } from 'vitest';
import { AppendPace, SendPace } from '#engine/events/append-pace';

describe('a stream', () => {
  it('wants events in a second, and in 250 ms while somebody watches or has read in the last minute', () => {
    const pace = new AppendPace();
    pace.note(0);
    expect(pace.pauseMs(0, false)).toBe(1_000);
    expect(pace.pauseMs(0, true)).toBe(250);
    pace.noteReader(1_000);
    expect(pace.pauseMs(60_000, false)).toBe(250);
    expect(pace.pauseMs(61_000, false)).toBe(1_000);
  });

  it('that more isolates call than one object can serve spreads them, also while somebody watches, and ends that when they are gone', () => {
    const pace = new AppendPace();
    for (let now = 0; now < 2_000; now += 0.5) {
      pace.note(now);
      pace.pauseMs(now, false);
    }
    expect(pace.pauseMs(2_000, true)).toBe(4_000);
    for (let now = 2_000; now < 600_000; now += 1_000) pace.note(now);
    expect(pace.pauseMs(600_000, true)).toBe(250);
  });
});

describe('an isolate', () => {
  it('comes after 250 ms until it is told otherwise, also where a stream of the previous release answers', () => {
    const pace = new SendPace();
    expect(pace.pauseMs('org_1')).toBe(250);
    for (const former of [3, undefined]) pace.succeed('org_1', former);
    expect(pace.pauseMs('org_1')).toBe(250);
    pace.succeed('org_1', { pauseMs: 1_000 });
    expect([pace.pauseMs('org_1'), pace.pauseMs('org_2')]).toEqual([1_000, 250]);
    pace.succeed('org_1', { pauseMs: 250 });
    expect(pace.pauseMs('org_1')).toBe(250);
  });

  it('leaves a failing stream alone for two seconds, and comes more seldom only where it has too many calls', () => {
    const pace = new SendPace();
    pace.fail('org_1', 0, new Error('unreachable'));
    expect([pace.mayCall('org_1', 1_999), pace.mayCall('org_1', 2_000)]).toEqual([false, true]);
    expect([pace.pauseMs('org_1'), pace.mayCall('org_2', 0)]).toEqual([250, true]);
    const overloaded = Object.assign(new Error('Too many requests'), { overloaded: true });
    const pauses = [1, 2, 3, 4, 5].map((time) => {
      pace.fail('org_1', time, overloaded);
      return pace.pauseMs('org_1');
    });
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 10_000]);
  });
});
