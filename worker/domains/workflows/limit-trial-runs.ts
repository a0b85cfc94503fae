/**
 * Limits what an organisation runs without deploying it: runs by its members, saved code, which is read and loaded once, and different
 * codes, which the platform bills by the day.
 */
import { lt, sql } from 'drizzle-orm';
import { DAY_MS } from '#engine/durations';
import { dayOf } from '#engine/usage/calendar';
import { sha256Hex } from '#runtime/hash';
import { insertSelect } from '#worker/db/insert-select';
import { workflowTrialCode } from '#worker/db/schema/workflow-tests';
import { rateLimited } from '#worker/http/api-error';
import type { Scope, WorkContext } from '#worker/http/request-context';

/** The limit and the period of TRIAL_RUN_LIMIT in wrangler.toml, for runs and for saves. */
const MAX_RUNS = 30;
const PERIOD_S = 60;
/** A day (UTC). */
export const MAX_TRIAL_CODES = 300;
/** Rows that one run of the schedule deletes. */
const MAX_FORGOTTEN = 5_000;

/** Before a member runs code. @throws {ApiError} rate-limited */
export async function limitTrialRun(ctx: WorkContext, scope: Scope, compiled: string): Promise<void> {
  const { success } = await ctx.env.TRIAL_RUN_LIMIT.limit({ key: scope.orgId });
  if (!success) {
    throw rateLimited(
      `An organisation can run code ${MAX_RUNS} times a minute. Try again in a minute.`,
      PERIOD_S,
    );
  }
  await limitTrialCode(ctx, scope, await sha256Hex(compiled));
}

/** Before a member's code is read to be saved. @throws {ApiError} rate-limited, which names the field */
export async function limitSave({ env }: WorkContext, { orgId }: Scope): Promise<void> {
  const { success } = await env.TRIAL_RUN_LIMIT.limit({ key: `save.${orgId}` });
  if (!success) {
    const message = `An organisation can save code ${MAX_RUNS} times a minute. Try again in a minute.`;
    throw rateLimited(message, PERIOD_S, [{ path: 'compiled', message }]);
  }
}

/**
 * Before code runs that need not be deployed anywhere. Code that ran today already is not counted again.
 * @param hash SHA-256 of the compiled code
 * @throws {ApiError} rate-limited
 */
export async function limitTrialCode(
  { db, now }: WorkContext,
  { orgId }: Scope,
  hash: string,
): Promise<void> {
  const dayAt = dayOf(now);
  const ofToday = sql`${workflowTrialCode} WHERE org_id = ${orgId} AND day_at = ${dayAt}`;
  const isAllowed = sql`(SELECT count(*) FROM ${ofToday}) < ${MAX_TRIAL_CODES}
    OR EXISTS (SELECT 1 FROM ${ofToday} AND hash = ${hash})`;
  const [counted] = await insertSelect(db, workflowTrialCode, { orgId, dayAt, hash }, { where: isAllowed })
    .onConflictDoUpdate({
      target: [workflowTrialCode.orgId, workflowTrialCode.dayAt, workflowTrialCode.hash],
      set: { hash },
    })
    .returning({ hash: workflowTrialCode.hash });
  if (counted !== undefined) return;
  throw rateLimited(
    `An organisation can save or run ${MAX_TRIAL_CODES} different codes a day. Code of today can still be saved and run; new code again after midnight UTC.`,
    Math.ceil((dayAt + DAY_MS - now) / 1000),
  );
}

/** Scheduled: forgets the codes of earlier days. */
export async function forgetTrialCodes({ db, now }: WorkContext): Promise<void> {
  const old = db
    .select({ rowid: sql`rowid` })
    .from(workflowTrialCode)
    .where(lt(workflowTrialCode.dayAt, dayOf(now)))
    .limit(MAX_FORGOTTEN);
  await db.delete(workflowTrialCode).where(sql`rowid IN ${old}`);
}
