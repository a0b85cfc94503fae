/** Deletes an organisation's Stripe integrations one by one, because each waits for Stripe. For organisations that are deleted. */
import { and, asc, eq } from 'drizzle-orm';
import { stripeIntegration } from '#worker/db/schema/stripe';
import type { ActorScope, WorkContext } from '#worker/http/request-context';
import { deleteStripeIntegration } from './stripe/connect/delete-integration.ts';
import { isNotDeleted } from './stripe/integration/integration-store.ts';

/** @returns whether there was one @throws errors of Stripe or D1: safe to retry */
export async function deleteNextStripeIntegration(ctx: WorkContext, scope: ActorScope): Promise<boolean> {
  const [next] = await ctx.db
    .select({ id: stripeIntegration.id })
    .from(stripeIntegration)
    .where(and(eq(stripeIntegration.orgId, scope.orgId), isNotDeleted))
    .orderBy(asc(stripeIntegration.id))
    .limit(1);
  if (next === undefined) return false;
  await deleteStripeIntegration(ctx, scope, next.id);
  return true;
}
