/** How the Worker hands a checked WebSocket to the organisation's event stream. */

/** A watch session as its socket remembers it. */
export interface Watch {
  /** The watch session's id, the tag of its socket. */
  readonly id: string;
  /** Null for all. */
  readonly environment: string | null;
  /** Null for all. */
  readonly integrationId: string | null;
}

/** The request header with the Watch as JSON. The Worker rebuilds the request, so clients cannot set it. */
export const WATCH_HEADER = 'x-watch';
