/** Shown when nothing is found: the way to a search that finds something, or to a first event. */
import { Button, Group } from '@mantine/core';
import { formatInstant } from '#web/ui/format.ts';
import { EmptyState } from '#web/ui/states/empty-state.tsx';
import { CallDocsLink, CallExample } from '#web/values/call-example.tsx';
import { RANGES } from '#web/values/time-ranges.ts';
import { periodPhrase } from './event-histogram.tsx';
import { type EventSearch, FILTERS, isFiltered } from './event-search.ts';
import { awaitsFirstCall, type ListedEvents } from './listed-events.ts';

export interface NoEventsProps {
  readonly search: EventSearch;
  readonly listed: ListedEvents;
  readonly onChange: (changes: Partial<EventSearch>) => void;
}

export function NoEvents({ search, listed, onChange }: NoEventsProps) {
  const isWidest = search.period === undefined && search.range === '30d';
  const isNarrow = isFiltered(search);
  const isFirst = awaitsFirstCall(search, listed);
  return (
    <EmptyState
      title="No events"
      action={
        <Group gap={8} justify="center">
          {isNarrow && (
            <Button
              variant="default"
              onClick={() =>
                onChange({ ...Object.fromEntries(FILTERS.map((name) => [name, undefined])), q: '' })
              }
            >
              Clear filters
            </Button>
          )}
          {!isWidest && (
            <Button variant="default" onClick={() => onChange({ period: undefined, range: '30d' })}>
              Search the {RANGES['30d'].label.toLowerCase()}
            </Button>
          )}
        </Group>
      }
      {...(isFirst && { example: <CallExample />, docs: <CallDocsLink /> })}
    >
      {!isFirst ? (
        <>
          {isNarrow ? 'Nothing matches this search' : 'No events to list'} {periodPhrase(search)}.
          {listed.from !== null &&
            ` Events before ${formatInstant(listed.from)} are archived: the chart counts them, but they can’t be listed.`}
        </>
      ) : (
        <>
          Access checks, counter updates and Stripe events appear here within seconds. Make your first call
          with a key from any environment:
        </>
      )}
    </EmptyState>
  );
}
