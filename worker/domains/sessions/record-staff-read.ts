/** Records that platform staff read an organisation: one audit row for each person, organisation and hour (UTC). */
import { and, eq, gte, sql } from 'drizzle-orm';
import { HOUR_MS } from '#engine/durations';
import { auditLog } from '#worker/db/schema/operations';
import type { ActorScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';

/** Committed before anything is shown. */
export async function recordStaffRead(
  ctx: Pick<RequestContext, 'db' | 'env' | 'newId' | 'now' | 'waitUntil'>,
  { orgId, actor }: ActorScope,
): Promise<void> {
  const isThisHour = and(
    eq(auditLog.orgId, orgId),
    eq(auditLog.actorId, actor?.userId ?? ''),
    gte(auditLog.at, ctx.now - (ctx.now % HOUR_MS)),
    eq(auditLog.action, 'sudo.viewed'),
  );
  const isRecorded = sql`EXISTS (SELECT 1 FROM ${auditLog} WHERE ${isThisHour})`;
  await change(
    ctx,
    { orgId, actor },
    {
      write: [],
      audit: { action: 'sudo.viewed', onlyIf: sql`NOT ${isRecorded}` },
      publish: [],
    },
  );
}
