/** The Live tab of Observability: start and stop, the counters, the map, and the newest events. */
import { Button, Group, NativeSelect } from '@mantine/core';
import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { type Dispatch, type SetStateAction, useCallback, useEffect, useRef, useState } from 'react';
import type { Environment } from '#contracts/console/environments';
import type { Event } from '#contracts/console/events';
import type { WatchedEvent } from '#contracts/console/watch-sessions';
import { now } from '#web/clock.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { StatusLabel } from '#web/ui/labels/status-label.tsx';
import { useAddressParams } from '#web/ui/page/use-address-params.ts';
import { EmptyState } from '#web/ui/states/empty-state.tsx';
import { ErrorState } from '#web/ui/states/error-state.tsx';
import { Notice } from '#web/ui/states/notice.tsx';
import { CallDocsLink, CallExample } from '#web/values/call-example.tsx';
import { environmentMark } from '#web/values/event-labels.ts';
import classes from './live.module.css';
import { EMPTY_FEED, type LiveFeed, receive } from './live-feed.ts';
import { LiveList } from './live-list.tsx';
import { LiveSummary } from './live-summary.tsx';
import { useLiveEvents } from './use-live-events.tsx';
import { watchedEnvironment } from './watched-environment.ts';

export interface LiveTabProps {
  /** Undefined while loading. */
  readonly environments: readonly Environment[] | undefined;
  /** Opens an event; the row's link leads to the Events tab. */
  readonly onOpen?: (event: Event) => void;
  readonly openId: string | null;
}

export function LiveTab({ environments, onOpen, openId }: LiveTabProps) {
  const orgId = useOrgId();
  const [search, changeParams] = useAddressParams();
  const environment = watchedEnvironment(environments, search.get('environment'));
  const [isOn, setIsOn] = useState(false);
  const [feed, setFeed] = useFeed(environment);
  const [error, setError] = useState<Error | null>(null);
  const [isLost, setIsLost] = useState(false);
  const button = useRef<HTMLButtonElement>(null);

  const onEvents = (events: readonly WatchedEvent[]) => setFeed((before) => receive(before, events, now()));
  const stop = () => {
    setIsOn(false);
    setFeed(EMPTY_FEED);
  };
  const start = () => {
    setIsOn(true);
    setFeed(EMPTY_FEED);
    setError(null);
    setIsLost(false);
  };
  const { status, listener } = useLiveEvents({
    orgId,
    environment,
    isOn,
    onEvents,
    onEnd: (reason) => {
      stop();
      setError(reason);
      setIsLost(reason === null);
    },
  });

  useEffect(() => {
    // What had the focus went with the list.
    if ((isLost || error !== null) && document.activeElement === document.body) button.current?.focus();
  }, [isLost, error]);

  return (
    <>
      {listener}
      <Group gap="12px 16px">
        <NativeSelect
          // As wide whichever environments there are.
          flex="0 1 240px"
          aria-label="Environment"
          value={environment ?? ''}
          onChange={({ currentTarget }) =>
            changeParams({ environment: currentTarget.value }, { replace: true })
          }
          data={[
            { value: '', label: 'All environments' },
            ...(environments ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
        <span role="status" className={classes.status}>
          <StatusLabel tone={status === 'Listening' ? 'good' : status === 'Connecting' ? 'waiting' : 'quiet'}>
            {status}
          </StatusLabel>
        </span>
        <Button
          ref={button}
          ml="auto"
          variant={isOn ? 'default' : 'filled'}
          leftSection={
            isOn ? <IconPlayerStop size={15} aria-hidden /> : <IconPlayerPlay size={15} aria-hidden />
          }
          onClick={isOn ? stop : start}
        >
          {isOn ? 'Stop' : 'Start'}
        </Button>
      </Group>
      {error !== null ? (
        <ErrorState title="The live view could not be started" error={error} onRetry={start} />
      ) : (
        <>
          {isLost && (
            <Notice isWide role="alert" title="The live view has ended">
              The connection was lost or your access changed. Press Start to reconnect. Events recorded in the
              meantime are in the Events tab.
            </Notice>
          )}
          {isOn && <LiveSummary feed={feed} />}
          {isOn && feed.total > 0 ? (
            <LiveList
              feed={feed}
              setFeed={setFeed}
              markOf={(event) => environmentMark(event, environment !== null, environments)}
              openId={openId}
              {...(onOpen && { onOpen })}
            />
          ) : (
            <Nothing isOn={isOn} />
          )}
        </>
      )}
    </>
  );
}

/** The feed of one environment: it is empty in the same render in which another one is chosen. */
function useFeed(environment: string | null): [LiveFeed, Dispatch<SetStateAction<LiveFeed>>] {
  const [kept, setKept] = useState({ environment, feed: EMPTY_FEED });
  const setFeed = useCallback(
    (change: SetStateAction<LiveFeed>) =>
      setKept((before) => {
        const feed = before.environment === environment ? before.feed : EMPTY_FEED;
        return { environment, feed: typeof change === 'function' ? change(feed) : change };
      }),
    [environment],
  );
  return [kept.environment === environment ? kept.feed : EMPTY_FEED, setFeed];
}

function Nothing({ isOn }: { isOn: boolean }) {
  return isOn ? (
    <EmptyState title="Waiting for Events..." example={<CallExample />} docs={<CallDocsLink />}>
      Call the API with one of your keys. The decision appears here within a second.
    </EmptyState>
  ) : (
    <EmptyState title="See decisions as they are made" docs={<CallDocsLink />}>
      Press Start to watch access checks, counter updates and Stripe events arrive, with their outcome and
      where they come from.
    </EmptyState>
  );
}
