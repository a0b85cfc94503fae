/** The last sync of customers and of products, and the buttons that start one. */
import { Stack } from '@mantine/core';
import type { StripeIntegration, SyncType } from '#contracts/console/stripe';
import { useOrgId } from '#web/session/organisation.tsx';
import { Section } from '#web/ui/page/section.tsx';
import { lastJob, SYNC_TYPES } from './connect-steps.ts';
import { useStartSync } from './mutations.ts';
import { SyncRow } from './sync-row.tsx';

export function SyncSection({ integration }: { integration: StripeIntegration }) {
  const orgId = useOrgId();
  const start = useStartSync(orgId, integration.id);
  const counts: Record<SyncType, number> = {
    'stripe-customer': integration.customerCount,
    'stripe-product': integration.productCount,
  };
  return (
    <Section
      isSplit
      title="Sync"
      description="Imports everything from Stripe again. Webhooks deliver changes, so you only need this after the webhook was missing."
    >
      <Stack component="ul" gap={20} maw={480} className="list" aria-label="Sync">
        {SYNC_TYPES.map((type) => (
          <SyncRow
            key={type}
            type={type}
            job={lastJob(integration, type)}
            count={counts[type]}
            onStart={() => start.mutate([type])}
            isStarting={start.isPending && start.variables.includes(type)}
          />
        ))}
      </Stack>
    </Section>
  );
}
