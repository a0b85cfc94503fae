/** The dashboard's newest access checks and counter updates. They appear as they are recorded; without a connection, every ten seconds. */
import { Button, Flex, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { Link } from 'react-router';
import type { WatchedEvent } from '#contracts/console/watch-sessions';
import { now } from '#web/clock.ts';
import { paths } from '#web/paths.ts';
import { useCustomerNames } from '#web/session/customer-names.ts';
import { StatusLabel } from '#web/ui/labels/status-label.tsx';
import { Section } from '#web/ui/page/section.tsx';
import { ErrorState } from '#web/ui/states/error-state.tsx';
import { DecisionRow } from '#web/values/decision-row.tsx';
import classes from './live.module.css';
import { EMPTY_FEED, newestWith, pause, receive, resume } from './live-feed.ts';
import { newestDecisionsQuery, SHOWN_DECISIONS } from './queries.ts';
import { useAttention } from './use-attention.ts';
import { useLiveEvents } from './use-live-events.tsx';

const POLL_MS = 10_000;
const SKELETONS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'];

export function LatestDecisionsCard({ orgId }: { orgId: string }) {
  const [isOn, setIsOn] = useState(true);
  const [feed, setFeed] = useState(EMPTY_FEED);
  const { isReading, pointer, focus } = useAttention();
  useEffect(() => setFeed(isReading ? pause : resume), [isReading]);
  const onEvents = useCallback((events: readonly WatchedEvent[]) => {
    const decisions = events.filter(({ type }) => type !== 'se');
    setFeed((before) => receive(before, decisions, now()));
  }, []);
  const { status, listener } = useLiveEvents({
    orgId,
    environment: null,
    isOn,
    onEvents,
    onEnd: () => setIsOn(false),
  });
  const isLive = status === 'Listening';
  const { data, error, refetch } = useQuery({
    ...newestDecisionsQuery(orgId),
    refetchInterval: isLive ? false : POLL_MS,
  });
  // What was recorded between the first answer and the connection.
  useEffect(() => {
    if (isLive) void refetch();
  }, [isLive, refetch]);
  const live = new Set(feed.shown.map(({ id }) => id));
  const shown = newestWith(feed, data ?? [], SHOWN_DECISIONS);
  const names = useCustomerNames(orgId, shown);
  return (
    <Section
      title="Latest decisions"
      isFlush
      actions={
        <>
          {/* Takes its space before it appears. */}
          <Flex
            component="span"
            display="inline-flex"
            align="center"
            style={{ visibility: isLive ? undefined : 'hidden' }}
          >
            <StatusLabel tone="good">Live</StatusLabel>
          </Flex>
          <Button component={Link} to={paths.observability(orgId, 'live')} variant="default" size="xs">
            Watch live
          </Button>
        </>
      }
    >
      {listener}
      {data === undefined && shown.length === 0 ? (
        error === null ? (
          <Stack justify="space-around" gap={0} h={245} px={20} role="status" aria-label="Loading">
            {SKELETONS.map((row) => (
              <Skeleton key={row} height={14} width="60%" />
            ))}
          </Stack>
        ) : (
          <ErrorState title="The decisions could not be loaded" error={error} onRetry={refetch} />
        )
      ) : shown.length === 0 ? (
        <p className="note">Access checks and counter updates appear here.</p>
      ) : (
        <ul className="list divided" aria-label="Latest decisions" {...pointer} {...focus}>
          {shown.map((event) => (
            <li key={event.id} className={live.has(event.id) ? classes.arrived : undefined}>
              <DecisionRow
                event={event}
                subjectName={names.get(event.subjectIdentifier ?? '')}
                to={paths.events(orgId, { event: event.id })}
              />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
