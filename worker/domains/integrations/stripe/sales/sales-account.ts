/** A Stripe account that something is sold in: in the modes that the environment sees. */
import { and, eq, inArray } from 'drizzle-orm';
import type { ArtifactPlan } from '#engine/artifacts/artifact-content';
import { stripeIntegration } from '#worker/db/schema/stripe';
import type { RequestContext } from '#worker/http/request-context';
import type { StripeClient } from '#worker/platform/stripe';
import { isNotDeleted, type StripeIntegrationRow } from '../integration/integration-store.ts';
import { openIntegrationClient } from '../integration/open-integration-client.ts';

/** Of one call: a person waits. */
const TIMEOUT_MS = 8_000;

/** Where something is sold. */
export interface Shop {
  readonly ctx: RequestContext;
  readonly orgId: string;
  readonly environmentId: string;
  /** Live environments see live mode only. */
  readonly isLive: boolean;
  /** Of the deployed version. */
  readonly plans: readonly ArtifactPlan[];
}

/** The accounts among these that are connected and seen. */
export async function readAccounts(
  { ctx: { db }, orgId, isLive }: Shop,
  integrationIds: readonly string[],
): Promise<StripeIntegrationRow[]> {
  if (integrationIds.length === 0) return [];
  const rows = await db
    .select()
    .from(stripeIntegration)
    .where(
      and(
        eq(stripeIntegration.orgId, orgId),
        isNotDeleted,
        inArray(stripeIntegration.id, [...integrationIds]),
      ),
    );
  return rows.filter(({ livemode, secretKey }) => secretKey !== null && (livemode || !isLive));
}

export function openAccount({ ctx }: Shop, account: StripeIntegrationRow): Promise<StripeClient> {
  return openIntegrationClient(ctx.settings, account, { timeoutMs: TIMEOUT_MS });
}
