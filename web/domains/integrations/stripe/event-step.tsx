/** Waits for the first event from Stripe, which proves that the webhook works. Can be skipped. */
import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useSkipStep } from './mutations.ts';
import classes from './stripe.module.css';
import type { SyncStepProps } from './sync-step.tsx';

export interface EventStepProps extends SyncStepProps {
  /** The page of the Stripe emulator, on a server that calls one. */
  readonly emulatorUrl?: string | null;
}

export function EventStep({ orgId, integration, emulatorUrl = null }: EventStepProps) {
  const mode = integration.testMode ? '' : '&mode=live';
  const skip = useSkipStep(orgId, integration.id);
  return (
    <Stack gap={16} align="flex-start" maw={640}>
      <Text c="dimmed">
        Change something in{' '}
        {emulatorUrl === null ? (
          'Stripe'
        ) : (
          <Anchor
            href={`${emulatorUrl}/?account=${integration.accountId}${mode}`}
            target="_blank"
            rel="noreferrer"
          >
            this server’s Stripe emulator
          </Anchor>
        )}
        : create a customer{integration.testMode ? ' in test mode' : ''}, or edit a product’s description.
      </Text>
      <Group gap={12} wrap="nowrap" className="medium" role="status">
        <span className={classes.pulse} aria-hidden="true" />
        Waiting for the first event…
      </Group>
      <Button
        variant="default"
        loading={skip.isPending}
        onClick={() => skip.mutate('quickstartWaitForEventSkipped')}
      >
        Skip the wait
      </Button>
    </Stack>
  );
}
