/** The address of a watch session's WebSocket: on the page's host. In development the API has the port 4001, the page 4000. */
import { watchSessionEndpoints } from '#contracts/console/watch-sessions';
import { addressOf } from '#web/api/call.ts';

/** @param page the page's address */
export function watchAddress(
  page: Pick<URL, 'protocol' | 'host'>,
  orgId: string,
  watchSessionId: string,
): string {
  const protocol = page.protocol === 'https:' ? 'wss:' : 'ws:';
  const host = page.host.replace(/:4000$/, ':4001');
  return `${protocol}//${host}${addressOf(watchSessionEndpoints.connect, { orgId, watchSessionId }, {})}`;
}
