/**
 * Reports to the event streams how many changes were made by API: each counts as an API call, without an event. The database counts them in
 * the batch of the change, and the streams get totals of days, so that no report is lost or counts twice.
 */
import { and, eq, lt, sql } from 'drizzle-orm';
import { DAY_MS } from '#engine/durations';
import { countedChange } from '#worker/db/schema/customers';
import { countChanges } from '#worker/domains/events/instruct-stream';
import type { WorkContext } from '#worker/http/request-context';

/** Days of environments that a run reports, in any order: a stream that does not answer holds up no others for long. */
const MAX_DAYS = 200;
/** A request reports a day that has just ended. */
const KEPT_MS = 3 * DAY_MS;

/** A part of the schedule. */
export async function reportChanges(ctx: WorkContext): Promise<void> {
  const { db, log } = ctx;
  const { orgId, environmentId, dayAt, total, reported } = countedChange;
  const open = await db
    .select({ orgId, environmentId, dayAt, total })
    .from(countedChange)
    .where(sql`total > reported`)
    .orderBy(sql`random()`)
    .limit(MAX_DAYS);
  for (const [of, days] of Map.groupBy(open, (row) => row.orgId)) {
    try {
      await countChanges(ctx, { orgId: of }, days);
    } catch (error) {
      log.warn('changes by API could not be counted, the next minute repeats it', { orgId: of, error });
      continue;
    }
    for (const day of days) {
      await db
        .update(countedChange)
        .set({ reported: day.total })
        .where(
          and(
            eq(orgId, of),
            eq(environmentId, day.environmentId),
            eq(dayAt, day.dayAt),
            lt(reported, day.total),
          ),
        );
    }
  }
}

/** A part of the schedule: once an hour. */
export async function forgetReportedChanges({ db, now }: Pick<WorkContext, 'db' | 'now'>): Promise<void> {
  const { dayAt, total, reported } = countedChange;
  await db.delete(countedChange).where(and(lt(dayAt, now - KEPT_MS), eq(reported, total)));
}
