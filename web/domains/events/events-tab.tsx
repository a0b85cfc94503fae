/** The Events tab: search, chart, list, and the viewer of the open event. The URL has the whole state. */
import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState, useSyncExternalStore } from 'react';
import { searchedLength } from '#contracts/console/events';
import { clockLead, now as currentTime, onClockChange, toServerTime } from '#web/clock.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { formatInstant } from '#web/ui/format.ts';
import { usePageKeys } from '#web/ui/keyboard/use-page-keys.ts';
import { useAddressSearch } from '#web/ui/page/use-address-search.ts';
import { ErrorState } from '#web/ui/states/error-state.tsx';
import { environmentMark } from '#web/values/event-labels.ts';
import { EventFilters } from './event-filters.tsx';
import { EventHistogram } from './event-histogram.tsx';
import { EventList } from './event-list.tsx';
import type { EventNames } from './event-names.ts';
import { criteriaOf, followingNow, pageOf, periodOf } from './event-search.ts';
import { EventViewerPart } from './event-viewer-part.tsx';
import { ExportMenu } from './export-menu.tsx';
import { listedEvents } from './listed-events.ts';
import { NoEvents } from './no-events.tsx';
import { eventHistogramQuery, eventSearchQuery } from './queries.ts';
import { useEventAddress } from './use-event-address.ts';

export function EventsTab({ names }: { readonly names: EventNames }) {
  const orgId = useOrgId();
  const { search, before, openId, ...address } = useEventAddress(orgId);
  const { text, setText } = useAddressSearch('q', searchedLength, 'before');
  const { now, setNow } = useSearchedAt();
  const page = useQuery(eventSearchQuery(orgId, pageOf(search, now, before)));
  const following = followingNow(search, { now, before, fetchedAt: toServerTime(page.dataUpdatedAt) });
  if (following !== now) setNow(following);
  const period = periodOf(search, now);
  const histogram = useQuery(eventHistogramQuery(orgId, search, period));
  const listed = listedEvents(histogram.data, period);
  const list = useRef<HTMLUListElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const events = page.data?.events;
  // What an empty list says depends on the counts.
  const isUnsure = events?.length === 0 && (histogram.isPending || histogram.isPlaceholderData);
  const next = page.data?.nextQueryTimeTo ?? null;

  const rows = () => [...(list.current?.querySelectorAll<HTMLAnchorElement>('a') ?? [])];
  const focusRow = (index: number) => rows()[index]?.focus({ preventScroll: false });
  const refresh = () => {
    const isMoving = search.period === undefined;
    if (isMoving) setNow(currentTime());
    // An older page of a range that ends now is another query with the new range.
    if (!isMoving || before === null) void page.refetch();
  };
  const close = () => {
    if (openId === null) return;
    address.open(null);
    const links = rows();
    const row = links[events?.findIndex(({ id }) => id === openId) ?? -1] ?? links[0];
    (row ?? input.current)?.focus();
  };
  const move = (step: 1 | -1) => {
    if (events === undefined || events.length === 0) return;
    const last = events.length - 1;
    if (openId !== null) {
      const index = events.findIndex(({ id }) => id === openId) + step;
      const event = events[index];
      if (event === undefined) return;
      rows()[index]?.scrollIntoView({ block: 'nearest' });
      address.open(event.id);
      return;
    }
    const current = rows().indexOf(document.activeElement as HTMLAnchorElement);
    focusRow(current === -1 ? (step === 1 ? 0 : last) : Math.min(last, Math.max(0, current + step)));
  };
  const [older, newer] = [() => move(1), () => move(-1)];
  usePageKeys({ j: older, ArrowDown: older, k: newer, ArrowUp: newer, '/': () => input.current?.focus() });

  return (
    <>
      <EventFilters
        search={search}
        text={text}
        onText={setText}
        onChange={address.change}
        names={names}
        inputRef={input}
        actions={
          <>
            <Button
              variant="default"
              aria-label="Refresh"
              loading={page.isFetching}
              loaderProps={{ size: 16 }}
              onClick={refresh}
              px={9}
            >
              <IconRefresh size={16} display="block" aria-hidden />
            </Button>
            <ExportMenu criteria={criteriaOf(search, now, null)} listedFrom={listed.from} />
          </>
        }
      />
      <EventHistogram search={search} now={now} onPeriod={(period) => address.change({ period })} />
      {listed.from !== null && (
        <p className="flush small muted">
          Events go back to {formatInstant(listed.from)}. Older ones are archived, and still counted.
        </p>
      )}
      {page.error !== null && events === undefined ? (
        <ErrorState title="The events could not be loaded" error={page.error} onRetry={page.refetch} />
      ) : (
        <EventList
          events={isUnsure ? undefined : events}
          isStale={page.isPlaceholderData}
          openId={openId}
          addressOf={address.addressOf}
          onOpen={address.open}
          markOf={(event) => environmentMark(event, search.environment !== undefined, names.environments)}
          hasEnvironments={search.environment === undefined}
          list={list}
          pages={{
            onNewer: before === null ? null : address.newer,
            onOlder: next === null ? null : () => address.older(next),
            searchedTo: next,
          }}
          empty={<NoEvents search={search} listed={listed} onChange={address.change} />}
        />
      )}
      {openId !== null && (
        <EventViewerPart
          key="viewer"
          eventId={openId}
          known={events?.find(({ id }) => id === openId)}
          names={names}
          address={address}
          onClose={close}
          onMove={events?.some(({ id }) => id === openId) ? move : undefined}
        />
      )}
    </>
  );
}

/** When the search was made. Another instant as soon as the browser's clock turns out to be off. */
function useSearchedAt() {
  const lead = useSyncExternalStore(onClockChange, clockLead);
  const [made, setMade] = useState(() => ({ at: currentTime(), lead }));
  if (made.lead !== lead) setMade({ at: currentTime(), lead });
  return { now: made.at, setNow: (at: number) => setMade({ at, lead }) };
}
