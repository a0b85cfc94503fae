/** The result of a finished step of connecting, in a few words. */
import type { ReactNode } from 'react';
import type { StripeIntegration } from '#contracts/console/stripe';
import { counted } from '#web/ui/format.ts';
import { Age } from '#web/ui/labels/age.tsx';
import type { ConnectStep } from './connect-steps.ts';

/** Null while the step is open. */
export function connectResult({ id, state }: ConnectStep, integration: StripeIntegration): ReactNode {
  if (state !== 'done') return null;
  if (id === 'key') {
    return (
      <>
        Account <code>{integration.accountId}</code>, key <code>{integration.maskedKey}</code>
      </>
    );
  }
  if (id === 'webhook') return integration.webhookManuallyAdded ? 'Added manually' : 'Created in Stripe';
  if (id === 'sync') {
    return `${counted(integration.customerCount, 'customer')}, ${counted(integration.productCount, 'product')}`;
  }
  if (integration.firstEventAt === null)
    return 'Your organisation already has usage, so there is nothing to wait for.';
  return (
    <>
      First event received <Age at={integration.firstEventAt} />.
    </>
  );
}
