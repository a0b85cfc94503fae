/**
 * The WebSockets of the live view. They hibernate: the runtime answers `ping` without waking the object, and keeps each
 * socket's watch beside it. An append sends the events that it has stored to the sockets that watch them.
 */
import { NO_ENVIRONMENT } from '#contracts/console/events';
import { MAX_WATCHED_EVENTS_A_SECOND, WATCH_CLOSE_CODES } from '#contracts/console/watch-sessions';
import type { Watch } from '#contracts/internal/watch';
import type { LiveEvent } from './live-events.ts';

/** Sessions are bounded per user; this bounds the object's memory. */
const MAX_SOCKETS = 2_000;

/** A socket and how much it may still receive. Memory only: lost when the socket hibernates. */
interface Watcher {
  readonly watch: Watch;
  /** Watchers with the same get the same events. */
  readonly selection: string;
  /** How many events may be sent now; refilled with time, below zero after a burst. */
  budget: number;
  refilledAt: number;
  leftOut: number;
}

export class LiveSockets {
  readonly #ctx: DurableObjectState;
  readonly #watchers = new WeakMap<WebSocket, Watcher>();

  constructor(ctx: DurableObjectState) {
    this.#ctx = ctx;
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('ping', 'pong'));
  }

  get isWatched(): boolean {
    return this.#ctx.getWebSockets().length > 0;
  }

  /** Accepts a socket that the Worker has checked. An older one of the same watch session is closed. */
  accept(watch: Watch): Response {
    this.#close([watch.id], WATCH_CLOSE_CODES.replaced, 'Connected a second time');
    if (this.#ctx.getWebSockets().length >= MAX_SOCKETS) {
      return new Response('Too many live views of this organisation', { status: 503 });
    }
    const { 0: client, 1: server } = new WebSocketPair();
    this.#ctx.acceptWebSocket(server, [watch.id]);
    server.serializeAttachment(watch);
    return new Response(null, { status: 101, webSocket: client });
  }

  /** Closes the sockets of watch sessions that have ended. */
  end(watchIds: readonly string[]): void {
    this.#close(watchIds, WATCH_CLOSE_CODES.ended, 'The watch session has ended');
  }

  /** Closes all sockets: the organisation was deleted. */
  endAll(): void {
    for (const socket of this.#ctx.getWebSockets()) {
      socket.close(WATCH_CLOSE_CODES.ended, 'The watch session has ended');
    }
  }

  /** @param events reads the events, if anyone watches @param now epoch milliseconds */
  publish(events: () => readonly LiveEvent[], now: number): void {
    const sockets = this.#ctx.getWebSockets();
    if (sockets.length === 0) return;
    const all = events();
    // Most sockets watch the same: they share the selection, and its texts.
    const watched = new Map<string, readonly LiveEvent[]>();
    for (const socket of sockets) {
      const watcher = this.#watcherOf(socket, now);
      let selected = watched.get(watcher.selection);
      if (selected === undefined) {
        selected = all.filter((event) => isWatched(event, watcher.watch));
        watched.set(watcher.selection, selected);
      }
      if (selected.length > 0) send(socket, watcher, selected, now);
    }
  }

  #watcherOf(socket: WebSocket, now: number): Watcher {
    let watcher = this.#watchers.get(socket);
    if (watcher === undefined) {
      const watch = socket.deserializeAttachment() as Watch;
      const selection = JSON.stringify([watch.environment, watch.integrationId]);
      watcher = { watch, selection, budget: MAX_WATCHED_EVENTS_A_SECOND, refilledAt: now, leftOut: 0 };
      this.#watchers.set(socket, watcher);
    }
    return watcher;
  }

  #close(watchIds: readonly string[], code: number, reason: string): void {
    for (const id of watchIds) {
      for (const socket of this.#ctx.getWebSockets(id)) socket.close(code, reason);
    }
  }
}

/** Payment-provider events belong to every environment. */
function isWatched(event: LiveEvent, { environment, integrationId }: Watch): boolean {
  if (environment !== null && event.envId !== environment && event.envId !== NO_ENVIRONMENT) return false;
  return integrationId === null || event.integrationId === integrationId;
}

/** Sends all events, or an even sample if there are too many. The last message of a sample says how many it leaves out. */
function send(socket: WebSocket, watcher: Watcher, events: readonly LiveEvent[], now: number): void {
  const earned = ((now - watcher.refilledAt) / 1_000) * MAX_WATCHED_EVENTS_A_SECOND;
  watcher.budget = Math.min(MAX_WATCHED_EVENTS_A_SECOND, watcher.budget + earned);
  watcher.refilledAt = now;
  // At least one, so that every sample can say what it leaves out.
  const count = Math.min(events.length, Math.max(1, Math.floor(watcher.budget)));
  watcher.budget -= count;
  watcher.leftOut += events.length - count;
  try {
    for (let index = 1; index <= count; index++) {
      const { text } = events[Math.ceil((index * events.length) / count) - 1] as LiveEvent;
      const isLast = index === count;
      socket.send(
        isLast && watcher.leftOut > 0 ? `${text.slice(0, -1)},"leftOut":${watcher.leftOut}}` : text,
      );
    }
    watcher.leftOut = 0;
  } catch {
    // The socket was closed meanwhile; the runtime forgets it.
  }
}
