/**
 * Watch sessions: a member watches an organisation's events as they are recorded. A session is created first; its
 * WebSocket sends one event per message and answers `ping` with `pong`.
 */
import { z } from 'zod';
import { customerReader, member } from '../public/endpoint.ts';
import { idSchema, instantSchema } from '../public/text.ts';
import { eventSchema } from './events.ts';

/** More events a second are sampled. */
export const MAX_WATCHED_EVENTS_A_SECOND = 200;

const watchFilterSchema = z.strictObject({
  /** An environment's id; null for all. Payment-provider events belong to every environment. */
  environment: idSchema.nullable().default(null),
  /** A Stripe integration's id, to watch the events of that account only; null for all events. */
  integrationId: idSchema.nullable().default(null),
});
export type WatchFilter = z.output<typeof watchFilterSchema>;

const watchSessionSchema = z.object({
  id: z.string(),
  environment: z.string().nullable(),
  integrationId: z.string().nullable(),
  createdAt: instantSchema,
  /** Its sockets are closed then, or when the user signs out or leaves the organisation. */
  expiresAt: instantSchema,
});
export type WatchSession = z.infer<typeof watchSessionSchema>;

/** A message of the WebSocket. */
export const watchedEventSchema = eventSchema.extend({
  /** How many events the sample has left out since the last message; absent if none. */
  leftOut: z.int().positive().optional(),
});
export type WatchedEvent = z.infer<typeof watchedEventSchema>;

/** Close codes of the WebSocket. After these, connecting again fails. */
export const WATCH_CLOSE_CODES = {
  /** The session has expired, its user has signed out or may no longer watch, or a newer session replaces it. */
  ended: 4403,
  /** The session is connected a second time, and the older socket is closed. */
  replaced: 4409,
  /** The client sent something other than `ping`. */
  unexpectedMessage: 4400,
} as const;

export const watchSessionEndpoints = {
  create: member.post('/api/orgs/:orgId/watch-sessions', {
    summary: 'Start watching events',
    changes: [],
    body: watchFilterSchema,
    answer: watchSessionSchema,
    status: 201,
  }),
  connect: customerReader.get('/api/orgs/:orgId/watch-session/:watchSessionId/websocket', {
    summary: 'The WebSocket of a watch session',
    isRaw: true,
  }),
} as const;
