// The documented workspace as a tenant inside workerd, published, with Stripe customers and tokens.
import { env } from 'cloudflare:workers';
import { type CreatedWorkspace, createDocumentedWorkspace } from '#lab/fixtures/create-documented-workspace';
import { inSeconds } from '#lab/fixtures/tokens';
import { connectAccount, putCustomer } from './stripe-customers.ts';
import { newTenant, publishAll, type Tenant } from './tenants.ts';

export interface DocumentedWorkspace extends CreatedWorkspace {
  readonly tenant: Tenant;
  /** Both identify ada@example.com. */
  readonly token: string;
  readonly expiredToken: string;
}

export async function documentedWorkspace(): Promise<DocumentedWorkspace> {
  const tenant = await newTenant();
  const workspace = await createDocumentedWorkspace(tenant, await tenant.previewId());
  await publishAll(tenant);
  const integrationId = await connectAccount(tenant);
  const item = {
    productId: 'prod_NWjs8kKbJWmuuc',
    priceId: 'price_1MoBy5LkdIwHu7ix',
    quantity: 7,
    periodStartAt: Date.UTC(2026, 10, 1),
    periodEndAt: Date.UTC(2026, 11, 1),
  };
  await putCustomer(tenant, {
    integrationId,
    id: 'cus_NffrFeUfNV2Hib',
    email: 'grace@example.com',
    subscriptions: [
      {
        id: 'sub_1MowQVLkdIwHu7ix',
        status: 'past_due',
        productIds: [item.productId],
        items: [item],
        currentPeriodEndAt: item.periodEndAt,
      },
    ],
  });
  await env.DB.prepare(
    "UPDATE stripe_integration SET user_id_key = 'workspace', user_ids_ready = 1 WHERE id = ?",
  )
    .bind(integrationId)
    .run();
  const email = 'billing@globex.example';
  await putCustomer(tenant, { integrationId, id: 'cus_9s6XKzkNRiz8i3', email });
  await putCustomer(tenant, { integrationId, id: 'cus_9s6XGDTHzA66Po', email, userId: 'globex-7' });
  const sign = (exp: number) => workspace.signer.sign({ email: 'ada@example.com', exp });
  return {
    ...workspace,
    tenant,
    token: await sign(inSeconds(600)),
    expiredToken: await sign(inSeconds(-600)),
  };
}
