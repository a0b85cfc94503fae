/** The syncs of customers and of products: the last of each, and the buttons that start one. */
import { Stack } from '@mantine/core';
import type { StripeIntegration, SyncType } from '#contracts/console/stripe';
import { lastJob, SYNC_TYPES } from './connect-steps.ts';
import type { useStartSync } from './mutations.ts';
import { SyncRow } from './sync-row.tsx';

export interface SyncRowsProps {
  readonly integration: StripeIntegration;
  readonly start: ReturnType<typeof useStartSync>;
  readonly canStart?: (type: SyncType) => boolean;
  readonly maxWidth: number;
}

export function SyncRows({ integration, start, canStart = () => true, maxWidth }: SyncRowsProps) {
  const counts: Record<SyncType, number> = {
    'stripe-customer': integration.customerCount,
    'stripe-product': integration.productCount,
  };
  return (
    <Stack component="ul" gap={20} maw={maxWidth} className="list" aria-label="Sync">
      {SYNC_TYPES.map((type) => (
        <SyncRow
          key={type}
          type={type}
          job={lastJob(integration, type)}
          count={counts[type]}
          onStart={canStart(type) ? () => start.mutate([type]) : undefined}
          isStarting={start.isPending && start.variables.includes(type)}
        />
      ))}
    </Stack>
  );
}
