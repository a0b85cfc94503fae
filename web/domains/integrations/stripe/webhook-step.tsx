/** Sets up the integration's webhook: Tessera creates it in Stripe, or the user does with the listed URL and events. */
import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { ApiError } from '#web/api/api-error.ts';
import { ActionButton } from '#web/ui/dialogs/action-button.tsx';
import { Notice } from '#web/ui/states/notice.tsx';
import { AskingStripe } from './asking-stripe.tsx';
import { ManualWebhook, type WebhookStepProps } from './manual-webhook.tsx';
import { useAddWebhook } from './mutations.ts';

const MODES = [
  { value: 'automatic', label: 'Automatic' },
  { value: 'manual', label: 'Manual' },
] as const;
type Mode = (typeof MODES)[number]['value'];

export function WebhookStep({ orgId, integration, onDone }: WebhookStepProps) {
  const [mode, setMode] = useState<Mode>('automatic');
  return (
    <Stack gap={16} align="flex-start">
      <SegmentedControl
        aria-label="How the webhook is created"
        data={MODES.map((each) => ({ ...each }))}
        value={mode}
        onChange={(value) => setMode(value as Mode)}
      />
      {mode === 'automatic' ? (
        <AutomaticWebhook orgId={orgId} integration={integration} {...(onDone && { onDone })} />
      ) : (
        <ManualWebhook orgId={orgId} integration={integration} {...(onDone && { onDone })} />
      )}
    </Stack>
  );
}

function AutomaticWebhook({ orgId, integration, onDone }: WebhookStepProps) {
  const add = useAddWebhook(orgId, integration.id);
  return (
    <Stack gap={16} align="flex-start" w="100%" maw={640}>
      <Text c="dimmed">
        We create the webhook in your Stripe account. A restricted key needs write permission for webhook
        endpoints.
      </Text>
      {add.isError && (
        <Notice
          role="alert"
          title="The webhook was not created"
          requestId={add.error instanceof ApiError ? add.error.requestId : undefined}
        >
          {add.error.message || 'Something went wrong on our side. Nothing was changed.'}
        </Notice>
      )}
      <AskingStripe isAsking={add.isPending} />
      <ActionButton
        loading={add.isPending}
        onClick={() => add.mutate({ mode: 'automatic' }, onDone && { onSuccess: onDone })}
      >
        {integration.webhookHealth?.problems.length ? 'Recreate webhook' : 'Create webhook in Stripe'}
      </ActionButton>
    </Stack>
  );
}
