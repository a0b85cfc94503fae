/** The changes of a list as a file, streamed page by page, newest first. */
import type { Activity, ActivityFilter, ActivityNames } from '#contracts/console/activity';
import { type CsvColumns, csvHeader, csvRows, downloadOf } from '#worker/http/csv';
import type { RequestContext } from '#worker/http/request-context';
import { type ActivityReader, listActivity } from './list-activity.ts';

/** Later rows are left out. */
const MAX_ROWS = 50_000;
const PAGE_SIZE = 500;

export function exportActivity(ctx: RequestContext, scope: ActivityReader, filter: ActivityFilter): Response {
  const day = new Date(ctx.now).toISOString().slice(0, 10);
  return downloadOf(piecesOf(ctx, scope, filter), 'text/csv; charset=utf-8', `activity-${day}.csv`);
}

/** Changes made meanwhile are newer than the first page. */
async function* piecesOf(
  { db }: RequestContext,
  scope: ActivityReader,
  filter: ActivityFilter,
): AsyncGenerator<string, void, void> {
  yield csvHeader(COLUMNS);
  let cursor: string | undefined;
  for (let count = 0; count < MAX_ROWS; count += PAGE_SIZE) {
    const { items, names, nextCursor } = await listActivity(db, scope, filter, cursor, PAGE_SIZE);
    yield csvRows(
      COLUMNS,
      items.map((item) => ({ ...item, names })),
    );
    if (nextCursor === null) return;
    cursor = nextCursor;
  }
}

type Row = Activity & { readonly names: ActivityNames };

const COLUMNS: CsvColumns<Row> = [
  ['time', ({ at }) => new Date(at).toISOString()],
  ['id', ({ id }) => id],
  ['by', ({ actor }) => actor.kind],
  ['person or key', ({ actor }) => actor.name],
  ['email', ({ actor }) => actor.email],
  ['person or key id', ({ actor }) => actor.id],
  ['action', ({ action }) => action],
  ['object', ({ targetId, names }) => (targetId === null ? null : (names[targetId] ?? null))],
  ['object id', ({ targetId }) => targetId],
  ['details', ({ detail }) => JSON.stringify(detail)],
];
