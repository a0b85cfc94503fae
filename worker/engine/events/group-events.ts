/**
 * Makes of recorded events the groups that a stream stores: by environment, and never with more or over a longer time
 * than one stored row should hold. Runs in the isolate that recorded them, off the path of the answer.
 */
import type { EventGroup, RecordedEvent, UsageCount } from '#contracts/event-batch';
import type { EventType } from '#contracts/events';
import { dayOf } from '../usage/calendar.ts';
import { writeLine } from './event-line.ts';
import { searchWords } from './search-words.ts';

export const MAX_GROUP_EVENTS = 100;
/** A search reads back this far beyond where it starts, so that it misses no group that began earlier. */
export const MAX_GROUP_SPAN_MS = 10_000;
/** UTF-16 units of the lines of one group: at most 1.5 MB in UTF-8, of the 2 MB that a row may have. */
const MAX_GROUP_LENGTH = 500_000;

export function groupEvents(events: readonly RecordedEvent[]): EventGroup[] {
  const groups: EventGroup[] = [];
  const open = new Map<string, OpenGroup>();
  for (const event of events) {
    let group = open.get(event.envId);
    if (group === undefined || !group.hasRoomFor(event)) {
      if (group !== undefined) groups.push(group.close());
      group = new OpenGroup(event.envId);
      open.set(event.envId, group);
    }
    group.add(event);
  }
  for (const group of open.values()) groups.push(group.close());
  return groups;
}

class OpenGroup {
  readonly #envId: string;
  readonly #ids: string[] = [];
  readonly #lines: string[] = [];
  #length = 0;
  #fromAt = Number.POSITIVE_INFINITY;
  #toAt = 0;
  readonly #usage = new UsageTally();
  readonly #words = new Set<string>();
  readonly #texts = new Map<string, number>();
  // The references seen last: neighbours share them, and the same one need not be looked into again.
  #lastFeatures: string | null = null;
  #lastText = 0;
  #lastPlans: readonly string[] | null = null;
  #lastCity: string | null = null;
  #lastCountry: string | null = null;

  constructor(envId: string) {
    this.#envId = envId;
  }

  hasRoomFor({ time }: RecordedEvent): boolean {
    return (
      this.#ids.length < MAX_GROUP_EVENTS &&
      this.#length < MAX_GROUP_LENGTH &&
      Math.max(this.#toAt, time) - Math.min(this.#fromAt, time) <= MAX_GROUP_SPAN_MS
    );
  }

  add(event: RecordedEvent): void {
    const text = event.features === null ? null : this.#numberOf(event.features, event.featureSlugs);
    const line = writeLine(event, text);
    this.#ids.push(event.id);
    this.#lines.push(line);
    this.#length += line.length;
    if (event.time < this.#fromAt) this.#fromAt = event.time;
    if (event.time > this.#toAt) this.#toAt = event.time;
    this.#usage.add(event.time, event.type, event.isError);
    this.#addWords(event, text === null);
  }

  #numberOf(features: string, slugs: readonly string[]): number {
    if (features === this.#lastFeatures) return this.#lastText;
    let number = this.#texts.get(features);
    if (number === undefined) {
      number = this.#texts.size;
      this.#texts.set(features, number);
      for (const slug of slugs) this.#words.add(slug);
    }
    this.#lastFeatures = features;
    this.#lastText = number;
    return number;
  }

  #addWords(event: RecordedEvent, hasOwnSlugs: boolean): void {
    const words = this.#words;
    const { place } = event;
    if (event.subjectIdentifier !== null) words.add(event.subjectIdentifier);
    for (const identifier of event.secondarySubjectIdentifiers) words.add(identifier);
    if (event.planSlugs !== this.#lastPlans) {
      for (const slug of event.planSlugs) words.add(slug);
      this.#lastPlans = event.planSlugs;
    }
    if (hasOwnSlugs) for (const slug of event.featureSlugs) words.add(slug);
    if (place.country !== null && place.country !== this.#lastCountry) {
      words.add(place.country);
      this.#lastCountry = place.country;
    }
    if (place.city !== null && place.city !== this.#lastCity) {
      words.add(place.city);
      this.#lastCity = place.city;
    }
    if (event.stripeEventType !== null) words.add(event.stripeEventType);
    if (event.error !== null) words.add(event.error);
    if (event.cfRay !== null) words.add(event.cfRay);
  }

  close(): EventGroup {
    let terms = '';
    for (const word of this.#words) terms += `${searchWords(word)} `;
    return {
      envId: this.#envId,
      ids: JSON.stringify(this.#ids),
      count: this.#ids.length,
      fromAt: this.#fromAt,
      toAt: this.#toAt,
      usage: this.#usage.counts(),
      terms,
      lines: this.#lines.join('\n'),
      texts: [...this.#texts.keys()],
    };
  }
}

/** Counts events as usage: by day and type, errors not. */
export class UsageTally {
  readonly #counts: { dayAt: number; type: EventType; total: number }[] = [];

  add(time: number, type: EventType, isError: boolean): void {
    if (isError) return;
    const dayAt = dayOf(time);
    const count = this.#counts.find((each) => each.dayAt === dayAt && each.type === type);
    if (count === undefined) this.#counts.push({ dayAt, type, total: 1 });
    else count.total += 1;
  }

  counts(): readonly UsageCount[] {
    return this.#counts;
  }
}
