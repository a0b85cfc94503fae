/** The Request & Response tab: both as collapsible JSON, and the command that repeats the request. */
import type { Event } from '#contracts/console/events';
import { CopyBadge } from '#web/ui/copy/copy-badge.tsx';
import { SheetSection } from '#web/ui/dialogs/sheet-section.tsx';
import { holdCallOf } from './hold-call.ts';
import { JsonTree } from './json-tree.tsx';
import { repeatCurl } from './repeat-curl.ts';
import classes from './viewer.module.css';

export function RequestPanel({ event }: { event: Event }) {
  const curl = repeatCurl(event, window.location.origin);
  return (
    <>
      {event.request === null || event.request === undefined ? (
        <SheetSection title="Request">
          <p className="flush small muted">The body of a refused call is not recorded.</p>
        </SheetSection>
      ) : (
        <JsonTree title="Request" value={event.request} />
      )}
      <JsonTree title="Response" value={event.response} />
      {curl !== null && (
        <SheetSection title="Repeat this request" aside={<CopyBadge value={curl} label="the curl command" />}>
          <p className="flush small muted">{advice(event)}</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
          <pre className={`well ${classes.code}`} tabIndex={0} data-scrolls>
            {curl}
          </pre>
        </SheetSection>
      )}
    </>
  );
}

function advice(event: Event): string {
  const { type, request } = event;
  const hold = holdCallOf(event);
  const counts = type === 'cu' || (typeof request === 'object' && request !== null && 'consume' in request);
  const token = typeof request === 'object' && request !== null && 'userJwt' in request;
  return [
    'Set TESSERA_KEY to one of the environment’s keys.',
    token && 'Tokens are never recorded. Replace [redacted] with one.',
    hold?.kind === 'settle' && 'Settling again with the same amount counts nothing more.',
    hold === null &&
      counts &&
      'Running it counts usage again, unless its idempotency key was used in the last 24 hours.',
    hold !== null &&
      hold.kind !== 'settle' &&
      'Running it holds the amount again, unless its idempotency key was used in the last 24 hours.',
  ]
    .filter(Boolean)
    .join(' ');
}
