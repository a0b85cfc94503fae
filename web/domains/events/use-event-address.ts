/**
 * The Events tab's state in the URL: search, page and open event. Each change is a step of the history; the pages before the
 * current one are kept in the history entry, so that 'Previous' works after the back button and a reload too.
 */
import { useMemo } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { eventCriteriaSchema } from '#contracts/console/events';
import { type EventsAddress, paths } from '#web/paths.ts';
import { type EventSearch, eventsAddress, readEventSearch } from './event-search.ts';

export interface EventAddress {
  readonly search: EventSearch;
  /** The current page's nextQueryTimeTo; null on the first page. */
  readonly before: number | null;
  readonly openId: string | null;
  /** The open event's tab, as the URL has it. */
  readonly tab: string | null;
  readonly change: (changes: Partial<EventSearch>) => void;
  readonly open: (eventId: string | null) => void;
  /** Replaces the history entry. Undefined: the first tab. */
  readonly showTab: (tab: string | undefined) => void;
  readonly older: (before: number) => void;
  readonly newer: () => void;
  /** The URL of this search with an event open. */
  readonly addressOf: (eventId: string) => string;
}

interface HistoryState {
  /** Positions of the newer pages, the newest first; '' is the first page. */
  readonly newer?: readonly string[];
}

export function useEventAddress(orgId: string): EventAddress {
  const [params, setParams] = useSearchParams();
  const state = (useLocation().state ?? {}) as HistoryState;
  const search = useMemo(() => readEventSearch(params), [params]);
  const position = params.get('before') ?? '';
  const openId = params.get('event');
  const tab = params.get('tab');
  const newer = Array.isArray(state.newer) ? state.newer : [];

  const go = (address: EventsAddress, newerPages: readonly string[], replace = false) =>
    setParams(new URLSearchParams(entriesOf(address)), {
      state: { newer: newerPages },
      replace,
      preventScrollReset: true,
    });
  const current = { ...eventsAddress(search), before: position };
  return {
    search,
    before: readPosition(position),
    openId,
    tab,
    change: (changes) => go(eventsAddress({ ...search, ...changes }), []),
    // Moving from event to event is one step, so that the back button closes the viewer.
    open: (eventId) =>
      go(
        { ...current, ...(eventId !== null && { event: eventId, tab: tab ?? undefined }) },
        newer,
        openId !== null,
      ),
    showTab: (next) => go({ ...current, event: openId ?? undefined, tab: next }, newer, true),
    older: (before) => go({ ...current, before: String(before) }, [...newer, position]),
    newer: () => go({ ...current, before: newer.at(-1) ?? '' }, newer.slice(0, -1)),
    addressOf: (eventId) => paths.events(orgId, { ...current, event: eventId }),
  };
}

function entriesOf(address: object): [string, string][] {
  return Object.entries(address).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
}

function readPosition(text: string): number | null {
  return eventCriteriaSchema.shape.timeTo.safeParse(Number(text || Number.NaN)).data ?? null;
}
