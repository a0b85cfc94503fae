/** Changes a webhook, and enables or disables it. Only fields that were sent and that differ are changed. */
import type { z } from 'zod';
import type { updateWebhookSchema, Webhook } from '#contracts/console/webhooks';
import { nextUpdatedAt } from '#worker/db/commit-if';
import { changedFields, recordEdit } from '#worker/db/field-changes';
import { webhook } from '#worker/db/schema/webhooks';
import { ensureIsMember } from '#worker/domains/sessions/ensure-is-member';
import { isAsEdited } from '#worker/http/edited-row';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { endWaiting } from './deliveries.ts';
import { ensureEnvironmentsExist } from './ensure-environments-exist.ts';
import { noteCustomersOf, tellsCustomers } from './note-customers.ts';
import {
  asWebhook,
  getWebhook,
  getWebhookRow,
  isWebhook,
  readWebhookUrl,
  type WebhookRow,
} from './webhook-store.ts';

/**
 * Idempotent: repeating an applied change succeeds, also with the earlier `updatedAt`. What waits for a disabled webhook has failed, and
 * can be sent again.
 * @throws {ApiError} not-found; invalid-request naming url or environmentIds; forbidden for platform staff; conflict with the current
 * state after a concurrent edit
 */
export async function updateWebhook(
  ctx: RequestContext,
  scope: MemberScope,
  id: string,
  body: z.output<typeof updateWebhookSchema>,
): Promise<Webhook> {
  const { db } = ctx;
  ensureIsMember(scope, 'change webhooks');
  const current = await getWebhookRow(db, scope, id);
  const { updatedAt, isEnabled, url, ...sent } = body;
  if (body.environmentIds !== undefined) await ensureEnvironmentsExist(db, scope, body.environmentIds);
  const edit = changedFields(current, {
    ...sent,
    url: url === undefined ? undefined : readWebhookUrl(ctx, url),
    disabledBecause: disabledBy(current, isEnabled),
  });
  if (Object.keys(edit).length === 0) return asWebhook(current, ctx.now);
  // Another address, or a second chance: what failed before says nothing about it.
  const isAnew = edit.url !== undefined || edit.disabledBecause === null;
  await change(ctx, scope, {
    when: isAsEdited(ctx, scope, {
      ...{ what: 'The webhook', table: webhook, id, updatedAt },
      readCurrent: () => getWebhook(ctx, scope, id),
    }),
    write: [
      db
        .update(webhook)
        .set({ ...edit, ...(isAnew && { failingSince: null }), updatedAt: nextUpdatedAt(webhook, ctx.now) })
        .where(isWebhook(scope, id)),
      ...(edit.disabledBecause == null ? [] : [endWaiting(db, id)]),
    ],
    audit: {
      action: 'integration.webhook-changed',
      targetId: id,
      detail: { name: current.url, ...recordEdit(current, edit) },
    },
    publish: edit.types !== undefined && tellsCustomers(edit.types) ? [noteCustomersOf(scope)] : [],
  });
  return getWebhook(ctx, scope, id);
}

/** Undefined: it stays as it is. */
function disabledBy(
  { disabledBecause }: WebhookRow,
  isEnabled: boolean | undefined,
): 'member' | null | undefined {
  if (isEnabled === undefined || isEnabled === (disabledBecause === null)) return undefined;
  return isEnabled ? null : 'member';
}
