/**
 * Scheduled work: grants that a release before 1.3.0 wrote get the anchor of their billing windows. Ledgers may have stored facts without
 * it, under a version that no other change would raise, so the change has a new one. A run takes some, and the next one goes on. With
 * none left it costs one look at an empty index.
 */
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { CustomerChanged } from '#runtime/messages';
import { sendMessage } from '#runtime/send-message';
import { customer, customerGrant } from '#worker/db/schema/customers';
import { factsVersion, takeFactsVersion } from '#worker/domains/customer-facts/next-facts-version';
import type { WorkContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';

/** Per run. What each organisation has of them fits into one message. */
const MAX_GRANTS = 100;

export async function renewGrants(ctx: WorkContext): Promise<void> {
  const rows = await ctx.db
    .select({ orgId: customerGrant.orgId, identifier: customerGrant.customerIdentifier })
    .from(customerGrant)
    .where(isNull(customerGrant.anchorAt))
    .limit(MAX_GRANTS);
  for (const [orgId, theirs] of Map.groupBy(rows, (row) => row.orgId)) {
    await renew(ctx, orgId, [...new Set(theirs.map(({ identifier }) => identifier))]);
  }
}

async function renew(ctx: WorkContext, orgId: string, identifiers: readonly string[]): Promise<void> {
  const { db, now } = ctx;
  const listed = sql`(SELECT value FROM json_each(${JSON.stringify(identifiers)}))`;
  const message: CustomerChanged = {
    type: 'customer.changed',
    outboxId: ctx.newId('out'),
    orgId,
    environmentId: null,
    customer: identifiers[0] ?? '',
    customers: identifiers,
  };
  const scope = { orgId, actor: null };
  await change(ctx, scope, {
    write: [
      takeFactsVersion(db, orgId, now),
      db
        .update(customerGrant)
        .set({ anchorAt: sql`${customerGrant.createdAt}` })
        .where(
          and(
            eq(customerGrant.orgId, orgId),
            sql`${customerGrant.customerIdentifier} IN ${listed}`,
            isNull(customerGrant.anchorAt),
          ),
        ),
      db
        .update(customer)
        .set({ factsVersion: factsVersion(orgId), updatedAt: now })
        .where(and(eq(customer.orgId, orgId), sql`${customer.identifier} IN ${listed}`)),
    ],
    audit: null,
    publish: [{ messages: [message], announce: () => sendMessage(ctx.env, message) }],
  });
}
