/** Encrypts the secrets of integrations with the current encryption key, for the schedule. */
import { stripeIntegration } from '#worker/db/schema/stripe';
import { resealColumn } from '#worker/domains/secrets/reseal-column';
import type { WorkContext } from '#worker/http/request-context';
import { contextOf, type SealedField } from './seal-secret.ts';

export async function resealIntegrations(ctx: WorkContext): Promise<void> {
  const { id, orgId, secretKey, webhookSecret, previousWebhookSecret } = stripeIntegration;
  const columns = [
    [secretKey, 'secret-key'],
    [webhookSecret, 'webhook-secret'],
    [previousWebhookSecret, 'webhook-secret'],
  ] as const satisfies readonly (readonly [unknown, SealedField])[];
  for (const [sealed, field] of columns) {
    const table = stripeIntegration;
    await resealColumn(ctx, { table, id, orgId, sealed, contextOf: (owner) => contextOf(owner, field) });
  }
}
