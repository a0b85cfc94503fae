/** In db rather than in domains/webhooks, because domains below it ask. */
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { ChosenWebhookType } from '#contracts/public/webhooks';
import { webhook } from './schema/webhooks.ts';

/** Condition: a webhook's list has the value, or is absent, which means all. */
export function chose(list: SQLiteColumn, value: string | null): SQL {
  return sql`(${list} IS NULL OR ${value} IN (SELECT value FROM json_each(${list})))`;
}

/** Condition: a webhook of the organisation chose events of this type, in some environment; a disabled one, too. */
export function isToldByWebhook(orgId: string | SQLiteColumn, type: ChosenWebhookType): SQL {
  return sql`EXISTS (SELECT 1 FROM ${webhook} WHERE ${and(eq(webhook.orgId, orgId), chose(webhook.types, type))})`;
}
