/**
 * The newest events of the live view. The list pauses while the pointer or the focus is in it, or when Space is pressed, so
 * that rows do not run away; a button shows what has arrived meanwhile.
 */
import { Button } from '@mantine/core';
import { IconArrowUp, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { type Dispatch, type SetStateAction, useEffect, useRef, useState } from 'react';
import type { Event } from '#contracts/console/events';
import { paths } from '#web/paths.ts';
import { useCustomerNames } from '#web/session/customer-names.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { formatNumber } from '#web/ui/format.ts';
import { usePageKeys } from '#web/ui/keyboard/use-page-keys.ts';
import { DecisionRow } from '#web/values/decision-row.tsx';
import type { environmentMark } from '#web/values/event-labels.ts';
import classes from './live.module.css';
import { type LiveFeed, pause, resume } from './live-feed.ts';
import { useAttention } from './use-attention.ts';

export interface LiveListProps {
  readonly feed: LiveFeed;
  readonly setFeed: Dispatch<SetStateAction<LiveFeed>>;
  /** See `environmentMark`. */
  readonly markOf: (event: Event) => ReturnType<typeof environmentMark>;
  readonly onOpen?: (event: Event) => void;
  /** The event that is open beside the list. */
  readonly openId: string | null;
}

export function LiveList(props: LiveListProps) {
  const orgId = useOrgId();
  const { feed, setFeed, markOf, onOpen, openId } = props;
  const names = useCustomerNames(orgId, feed.shown);
  const [isHeld, setIsHeld] = useState(false);
  const { isReading, release, pointer, focus } = useAttention();
  const list = useRef<HTMLUListElement>(null);
  const pauseButton = useRef<HTMLButtonElement>(null);
  const isPaused = isHeld || isReading;
  useEffect(() => setFeed(isPaused ? pause : resume), [isPaused, setFeed]);
  const move = (step: 1 | -1) => {
    if (openId === null) return moveFocus(list.current, step);
    const at = feed.shown.findIndex(({ id }) => id === openId);
    const next = at === -1 ? undefined : feed.shown[at + step];
    if (next !== undefined) onOpen?.(next);
  };
  const [older, newer] = [() => move(1), () => move(-1)];
  usePageKeys({
    j: older,
    ArrowDown: older,
    k: newer,
    ArrowUp: newer,
    ' ': () => setIsHeld((before) => !before),
  });

  const goOn = () => {
    setIsHeld(false);
    release();
    // The button of the new events goes; the focus must not go with it.
    pauseButton.current?.focus({ preventScroll: true });
  };
  return (
    // The whole section, so that the pointer can reach the button of the new events while the list waits.
    <section className={classes.list} aria-label="Newest events" {...pointer}>
      <div className={classes.listHead}>
        <span className="muted small truncate">
          {isHeld ? (
            'Paused'
          ) : isPaused ? (
            'Paused while you’re in the list'
          ) : (
            <>
              Newest first
              {canHover && <span className={classes.howToPause}>. Hover or press Space to pause.</span>}
            </>
          )}
        </span>
        <Button
          ref={pauseButton}
          className="rigid"
          variant="subtle"
          color="gray"
          size="xs"
          leftSection={
            isHeld ? <IconPlayerPlay size={14} aria-hidden /> : <IconPlayerPause size={14} aria-hidden />
          }
          onClick={() => (isHeld ? goOn() : setIsHeld(true))}
        >
          {isHeld ? 'Resume' : 'Pause'}
        </Button>
      </div>
      {feed.waitingCount > 0 && (
        <button type="button" className={classes.pill} onClick={goOn}>
          <IconArrowUp size={14} aria-hidden />
          {formatNumber(feed.waitingCount)} new
        </button>
      )}
      <ul ref={list} className="list divided" {...focus}>
        {feed.shown.map((event) => (
          <li key={event.id} className={classes.arrived}>
            <DecisionRow
              event={event}
              subjectName={names.get(event.subjectIdentifier ?? '')}
              to={paths.events(orgId, { event: event.id })}
              isCurrent={event.id === openId}
              {...markOf(event)}
              {...(onOpen && { onOpen })}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** To the next or previous row; without a focused row, to the first or last. */
function moveFocus(list: HTMLElement | null, step: 1 | -1): void {
  const links = [...(list?.querySelectorAll('a') ?? [])];
  const current = links.indexOf(document.activeElement as HTMLAnchorElement);
  const next = current === -1 ? (step === 1 ? 0 : links.length - 1) : current + step;
  links[next]?.focus();
}

const canHover = window.matchMedia('(hover: hover)').matches;
