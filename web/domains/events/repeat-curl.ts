/** The event's request as a curl command, for a POSIX shell. The key is a variable: no event contains one. */
import type { Event } from '#contracts/console/events';
import { fieldOf } from '#web/values/event-fields.ts';

const PATHS = { ac: '/api/v1/access-checks', cu: '/api/v1/counter-updates' } as const;

/** Null if the event has no request: a Stripe event, or a call that was refused. */
export function repeatCurl(
  { type, request, response, warningCodes }: Pick<Event, 'type' | 'request' | 'response' | 'warningCodes'>,
  origin: string,
): string | null {
  if (type === 'se' || request === null || request === undefined) return null;
  const isExplained =
    fieldOf(response, 'explanation') !== undefined || warningCodes.includes('explain-needs-secret-key');
  return [
    `curl ${quoted(`${origin}${PATHS[type]}${isExplained ? '?explain=1' : ''}`)} \\`,
    `  -H "Authorization: Bearer $TESSERA_KEY" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d ${quoted(JSON.stringify(request))}`,
  ].join('\n');
}

/** Nothing in single quotes has a meaning, and a single quote itself is written outside of them. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
