/** Runs the first sync of customers and products. Can be skipped: later changes arrive by webhook. */

import { Button, Group, Stack, Text } from '@mantine/core';
import type { StripeIntegration } from '#contracts/console/stripe';
import { ActionButton } from '#web/ui/dialogs/action-button.tsx';
import { lastJob, SYNC_TYPES } from './connect-steps.ts';
import { useSkipStep, useStartSync } from './mutations.ts';
import { SyncRows } from './sync-rows.tsx';

export interface SyncStepProps {
  readonly orgId: string;
  readonly integration: StripeIntegration;
}

export function SyncStep({ orgId, integration }: SyncStepProps) {
  const start = useStartSync(orgId, integration.id);
  const skip = useSkipStep(orgId, integration.id);
  const left = SYNC_TYPES.filter((type) => {
    const status = lastJob(integration, type)?.status;
    return status !== 'running' && status !== 'finished';
  });
  const isFinished = SYNC_TYPES.every((type) => lastJob(integration, type)?.status === 'finished');
  const hasStarted = left.length < SYNC_TYPES.length || integration.syncJobs.length > 0;
  return (
    <Stack gap={16} maw={640}>
      {!isFinished && (
        <Text c="dimmed">
          Imports your customers, subscriptions and products. You can leave this page while it runs.
        </Text>
      )}
      {hasStarted && (
        <SyncRows
          integration={integration}
          start={start}
          canStart={(type) => left.includes(type)}
          maxWidth={640}
        />
      )}
      <Group gap={8}>
        {!hasStarted && (
          <ActionButton loading={start.isPending} onClick={() => start.mutate(SYNC_TYPES)}>
            Start sync
          </ActionButton>
        )}
        {left.length > 0 && (
          <Button
            variant="default"
            loading={skip.isPending}
            onClick={() => skip.mutate('initialSyncSkipped')}
          >
            Skip the sync
          </Button>
        )}
      </Group>
    </Stack>
  );
}
