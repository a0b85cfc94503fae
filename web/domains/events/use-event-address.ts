/**
 * The Events tab's state in the URL: search, page and open event. Each change is a step of the history; the pages before the
 * current one are kept in the history entry, so that 'Previous' works after the back button and a reload too.
 */
import { useMemo } from 'react';
import { useLocation } from 'react-router';
import { paths } from '#web/paths.ts';
import { useAddressParams } from '#web/ui/page/use-address-params.ts';
import {
  type EventSearch,
  eventsAddress,
  readEventSearch,
  readInstant,
  searchChanges,
} from './event-search.ts';

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
  const [params, changeParams] = useAddressParams();
  const state = (useLocation().state ?? {}) as HistoryState;
  const search = useMemo(() => readEventSearch(params), [params]);
  const position = params.get('before') ?? '';
  const openId = params.get('event');
  const tab = params.get('tab');
  const newer = Array.isArray(state.newer) ? state.newer : [];

  const turnTo = (position: string | null, newerPages: readonly string[]) =>
    changeParams({ before: position, event: null, tab: null }, { state: () => ({ newer: newerPages }) });
  const samePages = (state: unknown) => state;
  return {
    search,
    before: readInstant(position),
    openId,
    tab,
    change: (changes) => changeParams(searchChanges(changes)),
    // Moving from event to event is one step, so that the back button closes the viewer.
    open: (eventId) =>
      changeParams(eventId === null ? { event: null, tab: null } : { event: eventId }, {
        replace: openId !== null,
        state: samePages,
      }),
    showTab: (next) => changeParams({ tab: next ?? null }, { replace: true, state: samePages }),
    older: (before) => turnTo(String(before), [...newer, position]),
    newer: () => turnTo(newer.at(-1) ?? null, newer.slice(0, -1)),
    addressOf: (eventId) =>
      paths.events(orgId, { ...eventsAddress(search), before: position, event: eventId }),
  };
}
