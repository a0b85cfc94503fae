/** Reads webhooks, and maps them to their API shape. Only secrets.ts returns a secret. */
import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import type { Webhook } from '#contracts/console/webhooks';
import type { Db } from '#worker/db/database';
import { webhook } from '#worker/db/schema/webhooks';
import { ApiError, invalidField, notFound } from '#worker/http/api-error';
import type { RequestContext, Scope } from '#worker/http/request-context';
import { readPublicAddress } from '#worker/platform/public-address';

export type WebhookRow = typeof webhook.$inferSelect;

/** Oldest first. */
export async function listWebhooks({ db, now }: RequestContext, { orgId }: Scope): Promise<Webhook[]> {
  const rows = await db
    .select()
    .from(webhook)
    .where(eq(webhook.orgId, orgId))
    .orderBy(asc(webhook.createdAt), asc(webhook.id));
  return rows.map((row) => asWebhook(row, now));
}

/** @throws {ApiError} not-found */
export async function getWebhookRow(db: Db, scope: Scope, id: string): Promise<WebhookRow> {
  const [row] = await db.select().from(webhook).where(isWebhook(scope, id));
  if (row === undefined) throw notFound('The webhook');
  return row;
}

/** @throws {ApiError} not-found */
export async function getWebhook({ db, now }: RequestContext, scope: Scope, id: string): Promise<Webhook> {
  return asWebhook(await getWebhookRow(db, scope, id), now);
}

/** Condition: it is this row of the organisation. */
export const isWebhook = ({ orgId }: Scope, id: string) => and(eq(webhook.id, id), eq(webhook.orgId, orgId));

/** Condition: it is enabled. */
export const isEnabled = (id: string) =>
  sql`EXISTS (SELECT 1 FROM ${webhook} WHERE ${and(eq(webhook.id, id), isNull(webhook.disabledBecause))})`;

/** Condition of `change`, with its error. */
export const mustBeEnabled = (id: string) =>
  [isEnabled(id), () => new ApiError('conflict', 'The webhook is disabled. Enable it first.')] as const;

export function asWebhook(row: WebhookRow, now: number): Webhook {
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    environmentIds: row.environmentIds === null ? null : [...row.environmentIds],
    types: row.types === null ? null : [...row.types],
    isEnabled: row.disabledBecause === null,
    disabledBecause: row.disabledBecause,
    failingSince: row.failingSince,
    formerSecretUntil: (row.formerUntil ?? 0) > now ? row.formerUntil : null,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

/** Binds an encrypted secret to its row, so that it cannot be decrypted elsewhere. */
export function sealContext(row: Pick<WebhookRow, 'orgId' | 'id'>): readonly string[] {
  return [row.orgId, 'webhook', row.id];
}

/** @throws {ApiError} invalid-request naming url */
export function readWebhookUrl({ settings }: RequestContext, text: string): string {
  const url = readPublicAddress(text, settings);
  if (typeof url === 'string') throw invalidField('url', url);
  if (url.hash !== '') throw invalidField('url', 'The address must not have a part after #');
  return url.href;
}
