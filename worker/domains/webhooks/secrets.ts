/** The secrets that sign what is sent to a webhook: made, shown, replaced, and encrypted with a new key. */
import { FORMER_SECRET_HOURS, type Webhook } from '#contracts/console/webhooks';
import { webhookSecretOf } from '#contracts/public/webhook-signature';
import { HOUR_MS } from '#engine/durations';
import { nextUpdatedAt } from '#worker/db/commit-if';
import { webhook } from '#worker/db/schema/webhooks';
import { resealColumn } from '#worker/domains/secrets/reseal-column';
import { ensureIsMember } from '#worker/domains/sessions/ensure-is-member';
import { isAsEdited } from '#worker/http/edited-row';
import type { MemberScope, RequestContext, WorkContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { getWebhook, getWebhookRow, isWebhook, sealContext, type WebhookRow } from './webhook-store.ts';

const SECRET_BYTES = 32;

export const makeSecret = (): string => webhookSecretOf(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));

/** Newest first: what signs at this moment. */
export async function readSecrets({ settings, now }: WorkContext, row: WebhookRow): Promise<string[]> {
  const former = row.sealedFormer !== null && (row.formerUntil ?? 0) > now ? [row.sealedFormer] : [];
  const sealed = [row.sealedSecret, ...former];
  return Promise.all(sealed.map((text) => settings.encryption.decrypt(text, sealContext(row))));
}

/** The audit row is committed before the secret is returned. @throws {ApiError} not-found; forbidden for platform staff */
export async function revealSecret(
  ctx: RequestContext,
  scope: MemberScope,
  id: string,
): Promise<{ secret: string }> {
  ensureIsMember(scope, 'see the secrets of webhooks');
  const row = await getWebhookRow(ctx.db, scope, id);
  const secret = await ctx.settings.encryption.decrypt(row.sealedSecret, sealContext(row));
  await change(ctx, scope, {
    write: [],
    audit: { action: 'integration.webhook-secret-revealed', targetId: id, detail: { name: row.url } },
    publish: [],
  });
  return { secret };
}

/** The one before signs as well for a day. @throws {ApiError} not-found; forbidden for platform staff; conflict after a concurrent edit */
export async function rotateSecret(
  ctx: RequestContext,
  scope: MemberScope,
  id: string,
): Promise<Webhook & { secret: string }> {
  ensureIsMember(scope, 'replace the secrets of webhooks');
  const row = await getWebhookRow(ctx.db, scope, id);
  const secret = makeSecret();
  await change(ctx, scope, {
    when: isAsEdited(ctx, scope, {
      ...{ what: 'The webhook', table: webhook, id, updatedAt: row.updatedAt },
      readCurrent: () => getWebhook(ctx, scope, id),
    }),
    write: [
      ctx.db
        .update(webhook)
        .set({
          sealedSecret: await ctx.settings.encryption.encrypt(secret, sealContext(row)),
          sealedFormer: row.sealedSecret,
          formerUntil: ctx.now + FORMER_SECRET_HOURS * HOUR_MS,
          updatedAt: nextUpdatedAt(webhook, ctx.now),
        })
        .where(isWebhook(scope, id)),
    ],
    audit: { action: 'integration.webhook-secret-rotated', targetId: id, detail: { name: row.url } },
    publish: [],
  });
  return { ...(await getWebhook(ctx, scope, id)), secret };
}

/** Both columns, for the schedule. */
export async function resealWebhooks(ctx: WorkContext): Promise<void> {
  const { id, orgId, sealedSecret, sealedFormer } = webhook;
  for (const sealed of [sealedSecret, sealedFormer]) {
    await resealColumn(ctx, { table: webhook, id, orgId, sealed, contextOf: sealContext });
  }
}
