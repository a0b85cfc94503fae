/**
 * After D1 was restored to an earlier instant: makes everything outside D1 follow it again, for all organisations. See
 * docs/deploy.md, "Restoring the database".
 */
import { isNull, sql } from 'drizzle-orm';
import { MINUTE_MS } from '#engine/durations';
import { environment, replicaAcknowledgement } from '#worker/db/schema/environments';
import { organization } from '#worker/db/schema/organisations';
import type { Caller, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { outboxRowsFrom, resendOutbox } from '#worker/queue/outbox';

/** Each sends up to 1,000 messages; the schedule sends the others. */
const MAX_ROUNDS = 10;

/**
 * Replicas accept newer generations only, and ledgers newer facts only, so both get instants, which exceed all that was
 * handed out before. May be repeated. The event streams know what was billed (billing/count-billable-usage.ts).
 * @returns a message that describes the result
 */
export async function followRestoredDatabase(
  ctx: RequestContext,
  actor: Caller,
): Promise<{ readonly message: string }> {
  const { db, now, newId } = ctx;
  const newer = (column: typeof environment.generation | typeof organization.factsEpoch) =>
    sql`max(${now}, ${column} + 1)`;
  const outboxId = sql`${`${newId('out')}_`} || ${environment.id}`;
  const published = outboxRowsFrom(
    db,
    {
      type: 'environment.changed',
      outboxId,
      orgId: sql`${environment.orgId}`,
      environmentId: sql`${environment.id}`,
    },
    { from: sql`${environment}`, where: isNull(environment.deletedAt) },
    // Due at once.
    now - MINUTE_MS,
  );
  const scope = { orgId: null, actor };
  await change(ctx, scope, {
    write: [
      db.update(organization).set({ factsEpoch: newer(organization.factsEpoch) }),
      db.update(environment).set({ generation: newer(environment.generation) }),
      // What replicas acknowledged since is not what they have to acknowledge now.
      db.delete(replicaAcknowledgement),
    ],
    audit: { action: 'sudo.database-followed' },
    publish: [{ after: [published] }],
  });
  const count = await db.$count(environment, isNull(environment.deletedAt));
  for (let round = 0; round < MAX_ROUNDS; round++) if ((await resendOutbox(ctx)) === 0) break;
  return {
    message: `${count === 1 ? '1 environment is' : `${count} environments are`} being published`,
  };
}
