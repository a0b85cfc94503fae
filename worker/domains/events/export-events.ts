/** The events of a search as a file, streamed page by page, newest first. */
import type { Event, ExportFormat } from '#contracts/console/events';
import { type CsvColumns, csvHeader, csvRows, downloadOf } from '#worker/http/csv';
import type { RequestContext, Scope } from '#worker/http/request-context';
import { type NamedCriteria, searchEvents } from './search-events.ts';

export const MAX_EXPORTED_EVENTS = 100_000;
const PAGE_SIZE = 500;

const CONTENT_TYPES: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
};

/** @param maxEvents later events are left out */
export function exportEvents(
  ctx: RequestContext,
  scope: Scope,
  criteria: NamedCriteria,
  format: ExportFormat,
  maxEvents = MAX_EXPORTED_EVENTS,
): Response {
  const day = new Date(ctx.now).toISOString().slice(0, 10);
  const pieces = piecesOf(ctx, scope, criteria, format, maxEvents);
  return downloadOf(pieces, CONTENT_TYPES[format], `events-${day}.${format}`);
}

async function* piecesOf(
  ctx: RequestContext,
  scope: Scope,
  criteria: NamedCriteria,
  format: ExportFormat,
  maxEvents: number,
): AsyncGenerator<string, void, void> {
  if (format === 'csv') yield csvHeader(COLUMNS);
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
      ? csvRows(COLUMNS, events)
      : events.map((event) => `${JSON.stringify(event)}\n`).join('');
  }
}

const COLUMNS: CsvColumns<Event> = [
  ['time', ({ time }) => new Date(time).toISOString()],
  ['id', ({ id }) => id],
  ['type', ({ type, isHold }) => (isHold ? 'hold' : type)],
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
