/** The events found, newest first, and the buttons to newer and older pages. */
import { Button, Group, Skeleton } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import type { ReactNode, RefObject } from 'react';
import type { Event } from '#contracts/console/events';
import { useCustomerNames } from '#web/session/customer-names.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { formatInstant } from '#web/ui/format.ts';
import { useStableCallback } from '#web/ui/use-stable-callback.ts';
import { DecisionHead, DecisionRow } from '#web/values/decision-row.tsx';
import type { environmentMark } from '#web/values/event-labels.ts';
import classes from './events.module.css';

export interface EventListProps {
  /** Undefined while the first page loads. */
  readonly events: readonly Event[] | undefined;
  /** The rows are those of the previous search. */
  readonly isStale: boolean;
  readonly openId: string | null;
  readonly addressOf: (eventId: string) => string;
  readonly onOpen: (eventId: string) => void;
  /** See `environmentMark`. */
  readonly markOf: (event: Event) => ReturnType<typeof environmentMark>;
  /** The list is of several environments. */
  readonly hasEnvironments: boolean;
  readonly list: RefObject<HTMLUListElement | null>;
  readonly pages: EventPages;
  /** Replaces the list if nothing was found and nothing older can be searched. */
  readonly empty: ReactNode;
}

export interface EventPages {
  readonly onNewer: (() => void) | null;
  readonly onOlder: (() => void) | null;
  /** The end of the search so far, if older events may follow. */
  readonly searchedTo: number | null;
}

const SKELETONS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];

export function EventList(props: EventListProps) {
  const { events, isStale, openId, list, pages, empty, hasEnvironments } = props;
  const open = useStableCallback(({ id }: Event) => props.onOpen(id));
  const names = useCustomerNames(useOrgId(), events ?? []);
  if (events === undefined) {
    return (
      <div className={`list card clip divided ${classes.list}`} role="status" aria-label="Loading">
        <DecisionHead hasEnvironments={hasEnvironments} />
        {SKELETONS.map((row) => (
          <Group key={row} gap={12} wrap="nowrap" h="max(40px, var(--touch-height))" px={20}>
            <Skeleton height={20} width={20} radius={5} />
            <Skeleton height={12} width="46%" />
          </Group>
        ))}
      </div>
    );
  }
  if (events.length === 0 && pages.onOlder === null && pages.onNewer === null) return empty;
  return (
    <>
      {events.length === 0 ? (
        <p className="card note">
          {pages.searchedTo === null
            ? 'No older matches.'
            : `No matches since ${formatInstant(Math.floor(pages.searchedTo))}. Choose Next to search older events.`}
        </p>
      ) : (
        <ul
          ref={list}
          className={`list card clip divided ${classes.list}`}
          aria-label="Events"
          aria-busy={isStale}
          data-stale={isStale || undefined}
        >
          <li aria-hidden>
            <DecisionHead hasEnvironments={hasEnvironments} />
          </li>
          {events.map((event) => (
            <li key={event.id}>
              <DecisionRow
                event={event}
                subjectName={names.get(event.subjectIdentifier ?? '')}
                to={props.addressOf(event.id)}
                onOpen={open}
                isCurrent={event.id === openId}
                {...props.markOf(event)}
              />
            </li>
          ))}
        </ul>
      )}
      <Group gap={8} justify="flex-end">
        <Button
          variant="default"
          leftSection={<IconChevronLeft size={15} aria-hidden />}
          disabled={pages.onNewer === null}
          onClick={() => pages.onNewer?.()}
        >
          Previous
        </Button>
        <Button
          variant="default"
          rightSection={<IconChevronRight size={15} aria-hidden />}
          disabled={pages.onOlder === null || isStale}
          onClick={() => pages.onOlder?.()}
        >
          Next
        </Button>
      </Group>
    </>
  );
}
