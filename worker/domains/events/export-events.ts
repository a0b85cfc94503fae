/**
 * The events of a search as a file, streamed page by page, newest first. Cells of a CSV file that a spreadsheet would take for a
 * formula begin with an apostrophe, and the file with a byte order mark, without which Excel does not read it as UTF-8.
 */
import type { Event, EventCriteria, ExportFormat } from '#contracts/console/events';
import type { RequestContext, Scope } from '#worker/http/request-context';
import { searchEvents } from './search-events.ts';

export const MAX_EXPORTED_EVENTS = 100_000;
const PAGE_SIZE = 500;
const BYTE_ORDER_MARK = '\ufeff';

const CONTENT_TYPES: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
};

/** @param maxEvents later events are left out */
export function exportEvents(
  ctx: RequestContext,
  scope: Scope,
  criteria: EventCriteria,
  format: ExportFormat,
  maxEvents = MAX_EXPORTED_EVENTS,
): Response {
  const day = new Date(ctx.now).toISOString().slice(0, 10);
  const pieces = piecesOf(ctx, scope, criteria, format, maxEvents);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await pieces.return();
    },
  });
  return new Response(body, {
    headers: {
      'content-type': CONTENT_TYPES[format],
      'content-disposition': `attachment; filename="events-${day}.${format}"`,
    },
  });
}

async function* piecesOf(
  ctx: RequestContext,
  scope: Scope,
  criteria: EventCriteria,
  format: ExportFormat,
  maxEvents: number,
): AsyncGenerator<string, void, void> {
  if (format === 'csv') yield BYTE_ORDER_MARK + row(COLUMNS.map(([name]) => name));
  // Events that arrive meanwhile are newer than the first page.
  let timeTo: number | null = criteria.timeTo ?? ctx.now;
  for (let count = 0; timeTo !== null && count < maxEvents; ) {
    const limit = Math.min(PAGE_SIZE, maxEvents - count);
    const page: Awaited<ReturnType<typeof searchEvents>> = await searchEvents(
      ctx,
      scope,
      { ...criteria, timeTo },
      limit,
    );
    const events = page.events.slice(0, limit);
    count += events.length;
    timeTo = page.nextQueryTimeTo;
    if (events.length === 0) continue;
    yield format === 'csv'
      ? events.map((event) => row(COLUMNS.map(([, read]) => read(event)))).join('')
      : events.map((event) => `${JSON.stringify(event)}\n`).join('');
  }
}

const COLUMNS: readonly (readonly [name: string, read: (event: Event) => string | number | null])[] = [
  ['time', ({ time }) => new Date(time).toISOString()],
  ['id', ({ id }) => id],
  ['type', ({ type }) => type],
  ['outcome', ({ outcome }) => outcome],
  ['environment', ({ envId }) => envId],
  ['subject', ({ subjectIdentifier }) => subjectIdentifier],
  ['other identifiers', ({ secondarySubjectIdentifiers }) => secondarySubjectIdentifiers.join(' ')],
  ['plans', ({ detail }) => detail.planSlugs.join(' ')],
  ['denied features', ({ deniedFeatures }) => deniedFeatures.join(' ')],
  ['warnings', ({ warningCodes }) => warningCodes.join(' ')],
  ['country', ({ detail }) => detail.countryCode],
  ['city', ({ detail }) => detail.city],
  ['latency ms', ({ latency }) => latency?.total ?? null],
  ['key', ({ key }) => key?.id ?? null],
  ['Stripe event', ({ stripeEventType }) => stripeEventType],
  ['Ray ID', ({ cfRay }) => cfRay],
  ['request', ({ request }) => JSON.stringify(request)],
  ['denial reasons', ({ denials }) => (denials ?? []).map(({ reason }) => reason).join(' ')],
];

/** RFC 4180. */
function row(cells: readonly (string | number | null)[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`;
}

function cellOf(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = /^[\s\p{Cc}]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u.test(value) ? `'${value}` : value;
  return /[",\r\n']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
