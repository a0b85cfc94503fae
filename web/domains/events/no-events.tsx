/** Shown when nothing is found: the way to a search that finds something, or to a first event. */
import { Button, Group } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '#web/paths.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { RANGES } from '#web/values/time-ranges.ts';
import { periodPhrase } from './event-histogram.tsx';
import { type EventSearch, FILTERS, isFiltered } from './event-search.ts';
import classes from './events.module.css';

export interface NoEventsProps {
  readonly search: EventSearch;
  readonly onChange: (changes: Partial<EventSearch>) => void;
}

const example = (origin: string) => `curl ${origin}/api/v1/access-checks \\
  -H "Authorization: Bearer <key>" \\
  -H "Content-Type: application/json" \\
  -d '{ "userIdentifier": "ada@example.com" }'`;

export function NoEvents({ search, onChange }: NoEventsProps) {
  const isWidest = search.period === undefined && search.range === '30d';
  const isNarrow = isFiltered(search);
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
      docs={
        isNarrow ? undefined : <Link to={paths.apiDocsSection('access-checks')}>How to call the API</Link>
      }
    >
      {isNarrow ? (
        <>Nothing matches this search {periodPhrase(search)}.</>
      ) : (
        <>
          Access checks, counter updates and Stripe events appear here within seconds. Make your first call
          with a key from any environment:
          <pre className={classes.example}>{example(window.location.origin)}</pre>
        </>
      )}
    </EmptyState>
  );
}
