// The live view's list, counters and map, without a browser.
import { describe, expect, test } from 'vitest';
import type { WatchedEvent } from '#contracts/console/watch-sessions';
import {
  EMPTY_FEED,
  type LiveFeed,
  newestWith,
  pause,
  rateOf,
  receive,
  resume,
  SHOWN_EVENTS,
  topPlaces,
} from '../../web/domains/live/live-feed.ts';
import { coordinatesOf } from '../../web/domains/live/place-coordinates.ts';
import { watchAddress } from '../../web/domains/live/watch-address.ts';
import { watchedEnvironment } from '../../web/domains/live/watched-environment.ts';
import { landPath, MAP_HEIGHT, MAP_WIDTH, project } from '../../web/domains/live/world-projection.ts';

let count = 0;

function event(changes: Partial<WatchedEvent> = {}): WatchedEvent {
  count += 1;
  return {
    id: `evt_${count}`,
    time: count,
    isError: false,
    isWarning: false,
    outcome: 'allowed',
    detail: { countryCode: 'PT', city: 'Lisbon', continent: 'EU', planSlugs: [] },
    ...changes,
  } as WatchedEvent;
}

const events = (number: number) => Array.from({ length: number }, () => event());
const idsIn = ({ shown }: LiveFeed) => shown.map(({ id }) => id);

describe('the list', () => {
  test('shows the newest fifty, newest first, in whatever order they arrive', () => {
    const all = events(80);
    const shuffled = [...all].sort((one, other) => (one.time % 7) - (other.time % 7));
    const feed = receive(EMPTY_FEED, shuffled, 0);
    expect(idsIn(feed)).toEqual(
      all
        .slice(-SHOWN_EVENTS)
        .map(({ id }) => id)
        .reverse(),
    );
    expect(feed.total).toBe(80);
  });

  test('shows an event once, also when a connection repeats it', () => {
    const [first, second] = [event(), event()];
    const feed = receive(receive(EMPTY_FEED, [first, second, first], 0), [second], 0);
    expect(idsIn(feed)).toEqual([second.id, first.id]);
    expect(feed.total).toBe(2);
  });

  test('stays as it is during a pause, and then shows what has arrived', () => {
    const before = pause(receive(EMPTY_FEED, events(60), 0));
    const arrived = events(57);
    const during = receive(before, arrived, 0);
    expect(idsIn(during)).toEqual(idsIn(before));
    expect([during.waitingCount, during.waiting.length, during.total]).toEqual([57, SHOWN_EVENTS, 117]);
    const after = resume(during);
    expect(idsIn(after)[0]).toBe(arrived.at(-1)?.id);
    expect([after.shown.length, after.waitingCount, after.waiting.length]).toEqual([SHOWN_EVENTS, 0, 0]);
  });
});

test('what is read after the connection has ended comes before what it brought', () => {
  const arrived = events(3);
  const later = events(2);
  const feed = receive(EMPTY_FEED, arrived, 0);
  const read = [...arrived, ...later].reverse();
  expect(newestWith(feed, read, 4)).toEqual(read.slice(0, 4));
  // During a pause the list does not move for what waits.
  expect(newestWith(receive(pause(feed), later, 0), read, 4)).toEqual([...arrived].reverse());
});

test('the rate covers five seconds and counts what a sample has left out', () => {
  const first = receive(EMPTY_FEED, [event(), event({ leftOut: 13 })], 1_000);
  const feed = receive(first, [event()], 3_000);
  expect([feed.total, feed.leftOut]).toEqual([16, 13]);
  expect([3_000, 5_999, 6_000, 8_000].map((now) => rateOf(feed, now))).toEqual([3.2, 3.2, 0.2, 0]);
});

test('places are counted by city, and a caller who invents cities cannot fill the memory', () => {
  const at = (countryCode: string | null, city: string | null) =>
    event({ detail: { countryCode, city, continent: null, planSlugs: [] } });
  const feed = receive(
    EMPTY_FEED,
    [at('PT', 'Lisbon'), at('PT', 'Lisbon'), at('PT', null), at(null, 'X')],
    0,
  );
  expect(topPlaces(feed, 9).map(({ key, count: total }) => [key, total])).toEqual([
    ['PT Lisbon', 2],
    ['PT ', 1],
  ]);
  const invented = Array.from({ length: 1_000 }, (_, index) => at('PT', `City ${index}`));
  expect(receive(feed, invented, 0).places.size).toBe(300);
});

describe('the map', () => {
  test('places cities and countries on land, and nothing outside of itself', () => {
    const land = new Set(landPath().split('M').filter(Boolean));
    const isOnLand = ({ x, y }: { x: number; y: number }) =>
      [-1, 0, 1].some((right) =>
        [-1, 0, 1].some((down) => land.has(`${Math.floor(x) + right + 0.5} ${Math.floor(y) + down + 0.5}h0`)),
      );
    for (const [code, city] of [
      ['US', 'San Francisco'],
      ['BR', 'São Paulo'],
      ['JP', 'Tokyo'],
      ['ZA', 'Cape Town'],
      ['AU', null],
      ['PT', 'a village'],
      ['SG', null],
    ] as const) {
      const coordinates = coordinatesOf(code, city);
      expect(coordinates !== null && isOnLand(project(coordinates)), `${code} ${city}`).toBe(true);
    }
    expect(coordinatesOf('XX', 'Lisbon')).toBeNull();
    for (const latitude of [-90, 0, 90]) {
      const { x, y } = project({ latitude, longitude: 180 });
      expect([x <= MAP_WIDTH + 1e-9, y >= 0, y <= MAP_HEIGHT]).toEqual([true, true, true]);
    }
  });
});

test('the socket is on the host of the page; in development the API has a port of its own', () => {
  const at = (page: string) => watchAddress(new URL(page), 'org_1', 'watch_1');
  const path = '/api/orgs/org_1/watch-session/watch_1/websocket';
  expect(at('https://console.example/o/org_1/observe/live')).toBe(`wss://console.example${path}`);
  expect(at('http://localhost:4001/')).toBe(`ws://localhost:4001${path}`);
  expect(at('http://localhost:4000/')).toBe(`ws://localhost:4001${path}`);
  expect(at('https://console.example:40000/')).toBe(`wss://console.example:40000${path}`);
});

test('the live view watches the environment in the address while it exists, otherwise all', () => {
  const environments = [{ id: 'env_1' }, { id: 'env_2' }];
  expect(watchedEnvironment(undefined, 'env_2')).toBe('env_2');
  expect(watchedEnvironment(environments, 'env_2')).toBe('env_2');
  expect(watchedEnvironment(environments.slice(0, 1), 'env_2')).toBeNull();
  expect(watchedEnvironment(environments, null)).toBeNull();
});
