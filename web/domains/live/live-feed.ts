/**
 * What the live view shows: the newest events, those that wait while the list is paused, how many there were, and where they
 * came from. Pure: the time is a parameter.
 */
import type { EventOutcome } from '#contracts/console/events';
import type { WatchedEvent } from '#contracts/console/watch-sessions';
import { countryCodeOf } from '#web/values/event-labels.ts';

/** Events in the list. */
export const SHOWN_EVENTS = 50;
const RATE_WINDOW_MS = 5_000;
/** A hostile caller can invent any number of cities. */
const MAX_PLACES = 300;

/** Where events came from: a city, or a country. */
export interface LivePlace {
  readonly key: string;
  readonly countryCode: string;
  readonly city: string | null;
  readonly count: number;
  /** Outcome of the newest event. */
  readonly outcome: EventOutcome;
}

interface Arrival {
  readonly at: number;
  readonly count: number;
}

export interface LiveFeed {
  /** Newest first, at most SHOWN_EVENTS. */
  readonly shown: readonly WatchedEvent[];
  /** Arrived during the pause: newest first, at most SHOWN_EVENTS. */
  readonly waiting: readonly WatchedEvent[];
  /** How many arrived during the pause. */
  readonly waitingCount: number;
  readonly isPaused: boolean;
  /** All events since the start, sampled ones included. */
  readonly total: number;
  /** Events that the sample left out. */
  readonly leftOut: number;
  readonly outcomes: Readonly<Record<EventOutcome, number>>;
  /** By key; the place of the newest event last. */
  readonly places: ReadonlyMap<string, LivePlace>;
  readonly arrivals: readonly Arrival[];
}

export const EMPTY_FEED: LiveFeed = {
  shown: [],
  waiting: [],
  waitingCount: 0,
  isPaused: false,
  total: 0,
  leftOut: 0,
  outcomes: { allowed: 0, denied: 0, warning: 0, error: 0 },
  places: new Map(),
  arrivals: [],
};

/** Adds events that have arrived. Those that the feed has already are ignored. */
export function receive(feed: LiveFeed, events: readonly WatchedEvent[], now: number): LiveFeed {
  const known = new Set([...feed.shown, ...feed.waiting].map(({ id }) => id));
  const fresh = events.filter(({ id }) => !known.has(id) && known.add(id));
  if (fresh.length === 0) return feed;
  const leftOut = fresh.reduce((sum, event) => sum + (event.leftOut ?? 0), 0);
  const count = fresh.length + leftOut;
  const outcomes = { ...feed.outcomes };
  const places = new Map(feed.places);
  for (const event of fresh) {
    outcomes[event.outcome] += 1;
    addPlace(places, event);
  }
  const target = feed.isPaused ? 'waiting' : 'shown';
  return {
    ...feed,
    [target]: newestOf([...fresh, ...feed[target]]),
    waitingCount: feed.isPaused ? feed.waitingCount + fresh.length : 0,
    total: feed.total + count,
    leftOut: feed.leftOut + leftOut,
    outcomes,
    places,
    arrivals: [...recent(feed.arrivals, now), { at: now, count }],
  };
}

/** Keeps the list as it is. Counters and places go on. */
export function pause(feed: LiveFeed): LiveFeed {
  return feed.isPaused ? feed : { ...feed, isPaused: true };
}

/** Shows what arrived during the pause. */
export function resume(feed: LiveFeed): LiveFeed {
  if (!feed.isPaused) return feed;
  const shown = newestOf([...feed.waiting, ...feed.shown]);
  return { ...feed, isPaused: false, shown, waiting: [], waitingCount: 0 };
}

/**
 * The newest events of the feed and of an answer that was read besides, newest first. Events that wait for the end of a pause
 * stay out.
 */
export function newestWith(feed: LiveFeed, read: readonly WatchedEvent[], count: number): WatchedEvent[] {
  const known = new Set([...feed.shown, ...feed.waiting].map(({ id }) => id));
  return newestOf([...feed.shown, ...read.filter(({ id }) => !known.has(id))]).slice(0, count);
}

/** Events a second, over the last five seconds. */
export function rateOf({ arrivals }: LiveFeed, now: number): number {
  const count = recent(arrivals, now).reduce((sum, arrival) => sum + arrival.count, 0);
  return count / (RATE_WINDOW_MS / 1_000);
}

/** The places with the most events, most first. */
export function topPlaces({ places }: LiveFeed, count: number): LivePlace[] {
  return [...places.values()].sort((one, other) => other.count - one.count).slice(0, count);
}

function recent(arrivals: readonly Arrival[], now: number): Arrival[] {
  return arrivals.filter(({ at }) => now - at < RATE_WINDOW_MS);
}

function newestOf(events: readonly WatchedEvent[]): WatchedEvent[] {
  return [...events].sort((one, other) => other.time - one.time).slice(0, SHOWN_EVENTS);
}

function addPlace(places: Map<string, LivePlace>, event: WatchedEvent): void {
  const countryCode = countryCodeOf(event);
  if (countryCode === null) return;
  const { city } = event.detail;
  const key = `${countryCode} ${city ?? ''}`;
  const count = (places.get(key)?.count ?? 0) + 1;
  places.delete(key);
  places.set(key, { key, countryCode, city, count, outcome: event.outcome });
  if (places.size > MAX_PLACES) {
    const [oldest] = places.keys();
    if (oldest !== undefined) places.delete(oldest);
  }
}
