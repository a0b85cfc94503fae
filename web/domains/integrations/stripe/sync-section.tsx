import type { StripeIntegration } from '#contracts/console/stripe';
import { useOrgId } from '#web/session/organisation.tsx';
import { Section } from '#web/ui/page/section.tsx';
import { useStartSync } from './mutations.ts';
import { SyncRows } from './sync-rows.tsx';

export function SyncSection({ integration }: { integration: StripeIntegration }) {
  const orgId = useOrgId();
  const start = useStartSync(orgId, integration.id);
  return (
    <Section
      isSplit
      title="Sync"
      description="Imports everything from Stripe again. Webhooks deliver changes, so you only need this after the webhook was missing."
    >
      <SyncRows integration={integration} start={start} maxWidth={480} />
    </Section>
  );
}
