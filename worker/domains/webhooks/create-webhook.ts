/** Adds a webhook, with a secret that signs what is sent to it. */
import { eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { type createWebhookSchema, MAX_WEBHOOKS, type Webhook } from '#contracts/console/webhooks';
import { webhook } from '#worker/db/schema/webhooks';
import { ensureIsMember } from '#worker/domains/sessions/ensure-is-member';
import { ApiError } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { ensureEnvironmentsExist } from './ensure-environments-exist.ts';
import { noteCustomersOf, tellsCustomers } from './note-customers.ts';
import { makeSecret } from './secrets.ts';
import { asWebhook, readWebhookUrl, sealContext, type WebhookRow } from './webhook-store.ts';

/** @throws {ApiError} forbidden for platform staff; invalid-request naming url or environmentIds; conflict when there are too many */
export async function createWebhook(
  ctx: RequestContext,
  scope: MemberScope,
  body: z.output<typeof createWebhookSchema>,
): Promise<Webhook & { secret: string }> {
  const { db, now } = ctx;
  const { orgId } = scope;
  ensureIsMember(scope, 'add webhooks');
  const url = readWebhookUrl(ctx, body.url);
  await ensureEnvironmentsExist(db, scope, body.environmentIds);
  const id = ctx.newId('hook');
  const secret = makeSecret();
  const row: WebhookRow = {
    ...{ id, orgId, url, description: body.description ?? null },
    ...{ environmentIds: body.environmentIds, types: body.types },
    sealedSecret: await ctx.settings.encryption.encrypt(secret, sealContext({ orgId, id })),
    ...{ sealedFormer: null, formerUntil: null, disabledBecause: null, failingSince: null },
    ...{ leasedUntil: 0, createdAt: now, updatedAt: now },
  };
  const count = sql`(SELECT count(*) FROM ${webhook} WHERE ${eq(webhook.orgId, orgId)})`;
  const tooMany = `An organisation can have at most ${MAX_WEBHOOKS} webhooks`;
  await change(ctx, scope, {
    when: { isBelowLimit: [sql`${count} < ${MAX_WEBHOOKS}`, () => new ApiError('conflict', tooMany)] },
    write: [db.insert(webhook).values(row)],
    audit: { action: 'integration.webhook-created', targetId: id, detail: { name: url } },
    publish: tellsCustomers(body.types) ? [noteCustomersOf(scope)] : [],
  });
  return { ...asWebhook(row, now), secret };
}
