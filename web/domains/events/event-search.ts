/** The Events tab's search: read from the URL, and turned into the criteria of the API. Invalid parameters are ignored. */
import {
  type DrewFrom,
  type EventCriteria,
  type EventOutcome,
  isDrewFrom,
  searchedLength,
} from '#contracts/console/events';
import { MAX_IDENTIFIER } from '#contracts/public/identifiers';
import { MAX_GIVEN_INSTANT, SLUG_PATTERN } from '#contracts/public/text';
import { MINUTE_MS } from '#engine/durations';
import type { EventsAddress } from '#web/paths.ts';
import type { ParamChanges } from '#web/ui/page/use-address-params.ts';
import { searchedText } from '#web/ui/page/use-address-search.ts';
import { CALL_TYPE_LABELS, type CallType, OUTCOME_LABELS } from '#web/values/event-labels.ts';
import { DEFAULT_RANGE, isRange, RANGES, type Range } from '#web/values/time-ranges.ts';

export interface EventSearch {
  readonly q: string;
  /** A customer's identifier, exactly. */
  readonly subject: string | undefined;
  readonly environment: string | undefined;
  readonly type: CallType | undefined;
  readonly outcome: EventOutcome | undefined;
  readonly drew: DrewFrom | undefined;
  readonly plan: string | undefined;
  readonly feature: string | undefined;
  readonly country: string | undefined;
  /** A fixed range; undefined if the range ends now. */
  readonly period: Period | undefined;
  /** Applies without a period. */
  readonly range: Range;
}

/** Epoch milliseconds; the end is exclusive. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

/** Filters with a chip each. */
export const FILTERS = [
  'subject',
  'environment',
  'type',
  'outcome',
  'plan',
  'feature',
  'drew',
  'country',
] as const;
export type FilterName = (typeof FILTERS)[number];

const isSlug = (text: string) => text.length >= 3 && text.length <= 32 && SLUG_PATTERN.test(text);

/** What the criteria's schema says, which lists need not load. */
const IS_VALID: Readonly<Record<FilterName, (text: string) => boolean>> = {
  subject: ({ length }) => length > 0 && length <= MAX_IDENTIFIER,
  environment: ({ length }) => length > 0 && length <= 64,
  type: (text) => Object.hasOwn(CALL_TYPE_LABELS, text),
  outcome: (text) => Object.hasOwn(OUTCOME_LABELS, text),
  plan: isSlug,
  feature: isSlug,
  drew: isDrewFrom,
  country: (text) => /^[A-Z0-9]{2}$/.test(text),
};

export function readEventSearch(params: URLSearchParams): EventSearch {
  const read = <Name extends FilterName>(name: Name): EventSearch[Name] => {
    const given = params.get(name);
    const text = name === 'country' ? given?.trim().toUpperCase() : given;
    return (text && IS_VALID[name](text) ? text : undefined) as EventSearch[Name];
  };
  const range = params.get('range');
  const text = params.get('q') ?? '';
  return {
    q: searchedText(text, searchedLength(text)),
    subject: read('subject'),
    environment: read('environment'),
    type: read('type'),
    outcome: read('outcome'),
    plan: read('plan'),
    feature: read('feature'),
    drew: read('drew'),
    country: read('country'),
    period: readPeriod(params.get('from'), params.get('to')),
    range: range !== null && isRange(range) ? range : DEFAULT_RANGE,
  };
}

function readPeriod(fromText: string | null, toText: string | null): Period | undefined {
  const [from, to] = [readInstant(fromText), readInstant(toText)];
  const isPeriod = Number.isInteger(from) && Number.isInteger(to);
  return isPeriod && from !== null && to !== null && from < to ? { from, to } : undefined;
}

/** Epoch milliseconds; null if no date has them. */
export function readInstant(text: string | null): number | null {
  const instant = Number(text || Number.NaN);
  return instant >= 0 && instant <= MAX_GIVEN_INSTANT ? instant : null;
}

/** The opposite of readEventSearch. */
export function eventsAddress({ period, range, ...fields }: EventSearch): EventsAddress {
  return { ...fields, ...(period ?? { range: range === DEFAULT_RANGE ? undefined : range }) };
}

/** What a change of some fields changes in the URL. A search that changes has its first page, and no event open. */
export function searchChanges(changes: Partial<EventSearch>): ParamChanges {
  const { period, range, ...fields } = changes;
  return {
    ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value ?? null])),
    ...('period' in changes && { from: textOf(period?.from), to: textOf(period?.to) }),
    ...(period !== undefined && { range: null }),
    ...(range !== undefined && { range: range === DEFAULT_RANGE ? null : range }),
    before: null,
    event: null,
    tab: null,
  };
}

const textOf = (value: number | undefined) => (value === undefined ? null : String(value));

/** The period on screen. `now` is when the search was made. */
export function periodOf({ period, range }: EventSearch, now: number): Period {
  return period ?? { from: now - RANGES[range].lengthMs, to: now };
}

/** A range that ends now has no end, so that a refetch finds events that arrived meanwhile. */
export function criteriaOf(search: EventSearch, now: number, before: number | null): EventCriteria {
  const { q, subject, environment, type, outcome, plan, feature, drew, country, period } = search;
  return {
    environment,
    textSearch: q === '' ? undefined : q,
    subject,
    ...typeCriteria(type),
    outcome,
    plan,
    feature,
    drewFrom: drew,
    country,
    timeFrom: periodOf(search, now).from,
    timeTo: before ?? period?.to,
  };
}

/** Events of holds are recorded as counter updates, and counted as those. */
export function typeCriteria(type: CallType | undefined): Pick<EventCriteria, 'type' | 'isHold'> {
  if (type === 'hold') return { type: 'cu', isHold: true };
  return type === 'cu' ? { type, isHold: false } : { type };
}

/** Whether the page is the first of a range that ends now: a refetch finds events that arrived meanwhile. */
export function endsNow({ period }: EventSearch, before: number | null): boolean {
  return period === undefined && before === null;
}

/** A page of a search, as it is cached and fetched. */
export interface SearchedPage {
  readonly key: object;
  /** @param at when it is fetched */
  readonly criteriaAt: (at: number) => EventCriteria;
}

/**
 * The first page of a range that ends now is the range when it is fetched: `now` is not in its key, so that it is not fetched twice
 * when `now` follows.
 */
export function pageOf(search: EventSearch, now: number, before: number | null): SearchedPage {
  const criteria = criteriaOf(search, now, before);
  if (!endsNow(search, before)) return { key: criteria, criteriaAt: () => criteria };
  return {
    key: { ...criteria, timeFrom: search.range },
    criteriaAt: (at) => criteriaOf(search, at, before),
  };
}

/** The chart and the export follow the list once it is this much newer, so that a quick refetch does not move the axis. */
const FOLLOWS_AFTER_MS = MINUTE_MS;

/**
 * The instant at which a range that ends now ends, for the list, the chart and the export: `now`, or `fetchedAt` if the list's first
 * page was fetched more than a minute later. Older pages and fixed periods do not move it.
 */
export function followingNow(
  search: EventSearch,
  { now, before, fetchedAt }: { now: number; before: number | null; fetchedAt: number },
): number {
  return endsNow(search, before) && fetchedAt - now > FOLLOWS_AFTER_MS ? fetchedAt : now;
}

export function isFiltered(search: EventSearch): boolean {
  return search.q !== '' || FILTERS.some((name) => search[name] !== undefined);
}
