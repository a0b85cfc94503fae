/** Platform staff ask an organisation's owners for access. The owners get an email and decide on the settings page. */

import { and, eq, gt, type SQL, sql } from 'drizzle-orm';
import type { SupportAccess } from '#contracts/console/support-access';
import { HOUR_MS } from '#engine/durations';
import { supportAccess } from '#worker/db/schema/organisations';
import { mailOwners } from '#worker/domains/organisations/list-administrators';
import { readOrganisationName } from '#worker/domains/organisations/reads';
import type { ActorScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { getSupportAccess } from './store.ts';

/** A repeated request replaces the reason; owners get at most one email for an open request and hour. @throws {ApiError} not-found */
export async function requestSupportAccess(
  ctx: RequestContext,
  scope: ActorScope,
  reason: string,
): Promise<SupportAccess> {
  const { db, now } = ctx;
  const name = await readOrganisationName(db, scope);
  const request = {
    requestedBy: scope.actor?.userId ?? null,
    requestReason: reason,
    requestedAt: now,
  };
  const wasAsked = and(
    eq(supportAccess.organizationId, scope.orgId),
    gt(supportAccess.requestedAt, now - HOUR_MS),
  );
  // Two requests at once: the second finds the first.
  const commit = (isNew: SQL) =>
    change(ctx, scope, {
      when: { isNew },
      write: [
        db
          .insert(supportAccess)
          .values({ organizationId: scope.orgId, ...request })
          .onConflictDoUpdate({ target: supportAccess.organizationId, set: request }),
      ],
      audit: { action: 'support-access.requested', targetId: scope.orgId, detail: { reason } },
      publish: [],
    });
  const { unmet } = await commit(sql`NOT EXISTS (SELECT 1 FROM ${supportAccess} WHERE ${wasAsked})`);
  if (unmet !== null) await commit(sql`TRUE`);
  else {
    await mailOwners(ctx, scope, {
      subject: `Tessera support requests access to ${name}`,
      paragraphs: [
        `Tessera support is asking for permission to make changes in ${name}. Reason: ${reason}`,
        'Until you allow it, support can view your organisation but not change it. Open Settings to allow changes for a limited time, or to decline.',
      ],
      action: { label: 'Open settings', url: `${ctx.settings.baseUrl}/o/${scope.orgId}/settings` },
    });
  }
  return getSupportAccess(db, scope, now);
}
