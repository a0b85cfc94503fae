/**
 * Watches an organisation's events as long as it is rendered: creates a watch session, connects its WebSocket and collects what
 * arrives. Events are handed over several times a second at most, so that a busy stream does not render once per event.
 */
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { ReadyState } from 'react-use-websocket/dist/lib/constants';
// By name: bundlers disagree about the default export of a CommonJS package.
import { useWebSocket } from 'react-use-websocket/dist/lib/use-websocket';
import {
  WATCH_CLOSE_CODES,
  type WatchedEvent,
  watchSessionEndpoints,
} from '#contracts/console/watch-sessions';
import { call } from '#web/api/call.ts';
import { watchAddress } from './watch-address.ts';

const FLUSH_MS = 150;
const PING_MS = 20_000;
const SILENCE_MS = 60_000;
const RECONNECT_MS = 1_000;
const RECONNECT_ATTEMPTS = 60;

export interface LiveListenerProps {
  readonly orgId: string;
  /** An environment's id; null for all. Another one starts a new session. */
  readonly environment: string | null;
  /** Events in the order of arrival. The function may be one of an earlier render. */
  readonly onEvents: (events: readonly WatchedEvent[]) => void;
  /** With an error if the session could not be created; without one if it has ended or can no longer be reached. */
  readonly onEnd: (error: Error | null) => void;
  /** Whether the connection is open. */
  readonly onListening: (isListening: boolean) => void;
}

export function LiveListener({ orgId, environment, onEvents, onEnd, onListening }: LiveListenerProps) {
  const address = useWatchAddress(orgId, environment, onEnd);
  const collect = useCollector(address, onEvents);
  const { readyState } = useWebSocket(
    address,
    {
      onMessage: ({ data }: MessageEvent<string>) => {
        if (data !== 'pong') collect(JSON.parse(data) as WatchedEvent);
      },
      // Messages go to `onMessage` only: the hook's own state would render once per message.
      filter: () => false,
      heartbeat: { message: 'ping', returnMessage: 'pong', interval: PING_MS, timeout: SILENCE_MS },
      shouldReconnect: ({ code }) => !isFinal(code),
      reconnectAttempts: RECONNECT_ATTEMPTS,
      reconnectInterval: RECONNECT_MS,
      onClose: ({ code }) => {
        if (isFinal(code)) onEnd(null);
      },
      // It also writes a warning to the console.
      onReconnectStop: () => onEnd(null),
    },
    address !== null,
  );
  const isListening = address !== null && readyState === ReadyState.OPEN;
  useEffect(() => {
    onListening(isListening);
    return () => onListening(false);
  }, [onListening, isListening]);
  return null;
}

function isFinal(code: number): boolean {
  return Object.values<number>(WATCH_CLOSE_CODES).includes(code);
}

/** The address of a new watch session's socket; null until there is one. */
function useWatchAddress(
  orgId: string,
  environment: string | null,
  onEnd: (error: Error | null) => void,
): string | null {
  const [found, setFound] = useState<{ readonly watched: string; readonly address: string } | null>(null);
  const watched = `${orgId} ${environment ?? ''}`;
  const end = useEffectEvent(onEnd);
  useEffect(() => {
    const abort = new AbortController();
    call(
      watchSessionEndpoints.create,
      { params: { orgId }, body: { environment, integrationId: null } },
      abort.signal,
    ).then(
      ({ id }) => {
        if (!abort.signal.aborted) setFound({ watched, address: watchAddress(window.location, orgId, id) });
      },
      (error: Error) => {
        if (!abort.signal.aborted) end(error);
      },
    );
    return () => {
      abort.abort();
      setFound(null);
    };
  }, [orgId, environment, watched]);
  // Compared at once: the effect that ends the old session runs after this render.
  return found?.watched === watched ? found.address : null;
}

/** Gathers events for a moment before they are handed over. What was gathered for an earlier address is dropped. */
function useCollector(
  address: string | null,
  onEvents: (events: readonly WatchedEvent[]) => void,
): (event: WatchedEvent) => void {
  const gathered = useRef<WatchedEvent[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the address changes
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      gathered.current = [];
    },
    [address],
  );
  return (event) => {
    gathered.current.push(event);
    if (gathered.current.length > 1) return;
    timer.current = setTimeout(() => {
      const events = gathered.current;
      gathered.current = [];
      onEvents(events);
    }, FLUSH_MS);
  };
}
