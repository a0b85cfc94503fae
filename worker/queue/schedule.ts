/**
 * Scheduled work: cron sends one message for each part every minute, and each part has an invocation of its own, since
 * together their calls would pass the platform's limit. A part is bounded, and repeated a minute later: so a message that comes
 * twice is harmless, one that comes late is dropped, and a failed one is not retried. See worker/queue/README.md, "Schedule".
 */
import { MINUTE_MS } from '#engine/durations';
import type { Log } from '#runtime/log';
import type { ScheduledWorkDue } from '#runtime/messages';
import { type Queues, sendMessages } from '#runtime/send-message';

/** One part. It may run at any time, and at the same time as another run of itself. @param dueAt the minute that asks for it, up to three minutes ago */
export type ScheduledWork<Context> = (ctx: Context, dueAt: number) => Promise<unknown> | undefined;

/** Parts by name. A name is part of a message, so it is not changed. */
export type Schedule<Context> = Readonly<Record<string, ScheduledWork<Context>>>;

interface ScheduleContext {
  readonly now: number;
  readonly log: Log;
}

/** For what need not run every minute. The minute counts that the work is due in: a message that is handled in the next one skips nothing. */
export function everyMinutes<Context>(minutes: number, work: (ctx: Context) => Promise<unknown>) {
  return (ctx: Context, dueAt: number) =>
    Math.floor(dueAt / MINUTE_MS) % minutes === 0 ? work(ctx) : undefined;
}

/** By then the messages of later minutes ask for the same work: what piled up in an outage does not run once for each minute. */
const MAX_LATENESS_MS = 3 * 60_000;

/** Sends the messages of a minute. @param now of the minute, which may have passed when the schedule starts late */
export async function startSchedule(
  { env, now }: { readonly env: Queues; readonly now: number },
  schedule: Schedule<never>,
): Promise<void> {
  const due = Object.keys(schedule).map(
    (work): ScheduledWorkDue => ({ type: 'schedule.work-due', work, dueAt: now }),
  );
  await sendMessages(env, 'schedule.work-due', due);
}

/** The consumer of schedule.work-due. A failure is logged; the next minute tries again. */
export function scheduleConsumer<Context extends ScheduleContext>(schedule: Schedule<Context>) {
  return async (ctx: Context, { work, dueAt }: ScheduledWorkDue): Promise<void> => {
    const { now, log } = ctx;
    if (now - dueAt > MAX_LATENESS_MS) return;
    try {
      const run = Object.hasOwn(schedule, work) ? schedule[work] : undefined;
      if (run === undefined) log.warn('scheduled work is unknown to this release', { work });
      else await run(ctx, dueAt);
    } catch (error) {
      log.error('scheduled work failed', { work, error });
    }
  };
}
