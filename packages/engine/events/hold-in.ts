import type { EventType } from '#contracts/console/events';
import { HOLD_PREFIX } from '../metering/hold-id.ts';

const BEFORE = `"hold":{"id":"${HOLD_PREFIX}`;

/** The ID of the hold that a call made or changed, which finds its events. @param response JSON, or the event's own part of it */
export function holdIn(type: EventType, response: string): string | null {
  const at = type === 'cu' ? response.indexOf(BEFORE) : -1;
  if (at === -1) return null;
  const start = at + BEFORE.length - HOLD_PREFIX.length;
  const end = response.indexOf('"', start);
  return end === -1 ? null : response.slice(start, end);
}
