/** The event's request as a curl command, for a POSIX shell. The key is a variable: no event contains one. */
import type { Event } from '#contracts/console/events';
import { fieldOf } from '#web/values/event-fields.ts';
import { holdCallOf } from './hold-call.ts';

const PATHS = { ac: '/api/v1/access-checks', cu: '/api/v1/counter-updates' } as const;
const HOLDS = '/api/v1/holds';

/** Null if the event has no request: a Stripe event, or a call that was refused. */
export function repeatCurl(
  { type, request, response, warningCodes }: Pick<Event, 'type' | 'request' | 'response' | 'warningCodes'>,
  origin: string,
): string | null {
  if (type === 'se' || request === null || request === undefined) return null;
  const call = callOf({ type, request, response });
  const isExplained =
    fieldOf(response, 'explanation') !== undefined || warningCodes.includes('explain-needs-secret-key');
  return [
    `curl ${quoted(`${origin}${call.path}${isExplained ? '?explain=1' : ''}`)} \\`,
    `  -H "Authorization: Bearer $TESSERA_KEY" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d ${quoted(JSON.stringify(call.body))}`,
  ].join('\n');
}

/** Of a call about a hold, the event's request names what the hold is of, and its ID is in the path. */
function callOf(event: Pick<Event, 'type' | 'request' | 'response'>): { path: string; body: unknown } {
  const { type, request } = event;
  const call = holdCallOf(event);
  if (call === null) return { path: PATHS[type as keyof typeof PATHS], body: request };
  if (call.kind === 'open') return { path: HOLDS, body: request };
  const { hold, feature: _, property: __, ...body } = request as Record<string, unknown>;
  return { path: `${HOLDS}/${encodeURIComponent(String(hold))}/${call.kind}`, body };
}

/** Nothing in single quotes has a meaning, and a single quote itself is written outside of them. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
