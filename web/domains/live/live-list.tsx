/**
 * The newest events of the live view. The list pauses while the pointer or the focus is in it, or when Space is pressed, so
 * that rows do not run away; a button shows what has arrived meanwhile.
 */

import { Button } from '@mantine/core';
import { IconArrowUp, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { type Dispatch, type SetStateAction, useEffect, useState } from 'react';
import type { Event } from '#contracts/console/events';
import { paths } from '#web/paths.ts';
import { formatNumber } from '#web/ui/format.ts';
import { DecisionRow } from '#web/values/decision-row.tsx';
import classes from './live.module.css';
import { type LiveFeed, pause, resume } from './live-feed.ts';

export interface LiveListProps {
  readonly orgId: string;
  readonly feed: LiveFeed;
  readonly setFeed: Dispatch<SetStateAction<LiveFeed>>;
  readonly now: number;
  readonly hasEnvironmentMark: boolean;
  readonly onOpen?: (event: Event) => void;
}

export function LiveList({ orgId, feed, setFeed, now, hasEnvironmentMark, onOpen }: LiveListProps) {
  const [isHeld, setIsHeld] = useState(false);
  const [isPointed, setIsPointed] = useState(false);
  const [isFocused, setIsFocused] = useState(false);
  const isPaused = isHeld || isPointed || isFocused;
  useEffect(() => setFeed(isPaused ? pause : resume), [isPaused, setFeed]);
  useSpaceKey(() => setIsHeld((before) => !before));

  const goOn = () => {
    setIsHeld(false);
    setIsPointed(false);
    setIsFocused(false);
  };
  return (
    // The whole section, so that the pointer can reach the button of the new events while the list waits.
    <section
      className={classes.list}
      aria-label="Newest events"
      onPointerEnter={({ pointerType }) => setIsPointed(pointerType === 'mouse')}
      onPointerLeave={() => setIsPointed(false)}
    >
      <div className={classes.listHead}>
        <span className="muted small">
          {isHeld
            ? 'Paused'
            : isPaused
              ? 'Paused while you are in the list'
              : 'Newest first. Hover or press Space to pause.'}
        </span>
        <Button
          variant="subtle"
          color="gray"
          size="xs"
          aria-pressed={isHeld}
          leftSection={
            isHeld ? <IconPlayerPlay size={14} aria-hidden /> : <IconPlayerPause size={14} aria-hidden />
          }
          onClick={() => (isHeld ? goOn() : setIsHeld(true))}
        >
          Pause
        </Button>
      </div>
      {feed.waitingCount > 0 && (
        <button type="button" className={classes.pill} onClick={goOn}>
          <IconArrowUp size={14} aria-hidden />
          {formatNumber(feed.waitingCount)} new
        </button>
      )}
      <ul
        className={classes.rows}
        onFocus={() => setIsFocused(true)}
        onBlur={({ currentTarget, relatedTarget }) => setIsFocused(currentTarget.contains(relatedTarget))}
      >
        {feed.shown.map((event) => (
          <li key={event.id} className={classes.arrived}>
            <DecisionRow
              event={event}
              now={now}
              to={paths.events(orgId, { event: event.id })}
              hasEnvironmentMark={hasEnvironmentMark}
              {...(onOpen && { onOpen })}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

const OWN_SPACE = 'input, textarea, select, button, [role="button"], [role="dialog"], [contenteditable]';

/** Space scrolls the page otherwise. Controls keep their own. */
function useSpaceKey(onPress: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isControl = event.target instanceof Element && event.target.closest(OWN_SPACE) !== null;
      if (event.key !== ' ' || event.repeat || event.ctrlKey || event.metaKey || event.altKey || isControl)
        return;
      event.preventDefault();
      onPress();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  });
}
