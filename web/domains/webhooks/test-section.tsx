/** Sends a test event, and shows how the address answered. */
import { Stack } from '@mantine/core';
import type { Webhook } from '#contracts/console/webhooks';
import { useOrgId } from '#web/session/organisation.tsx';
import { ActionButton } from '#web/ui/dialogs/action-button.tsx';
import { StatusLabel } from '#web/ui/labels/status-label.tsx';
import { Section } from '#web/ui/page/section.tsx';
import { DeliveryAnswer } from './delivery-details.tsx';
import { useTestWebhook } from './mutations.ts';
import { answerLabel, deliveryState } from './webhook-labels.ts';

export function TestSection({ webhook: { id, isEnabled } }: { readonly webhook: Webhook }) {
  const { data, isPending, mutate } = useTestWebhook(useOrgId(), id);
  return (
    <Section
      title="Test"
      description="Sends webhook.test to the address, whatever events you selected, and waits for the answer."
      actions={
        <ActionButton
          variant="default"
          disabled={!isEnabled}
          loading={isPending}
          onClick={() => mutate(undefined)}
        >
          Send test event
        </ActionButton>
      }
    >
      {data !== undefined && !isPending && (
        <Stack gap={12} role="status" aria-label="Result of the test">
          <span className="row wrap gap-12">
            <StatusLabel tone={deliveryState(data).tone}>{deliveryState(data).label}</StatusLabel>
            <span className="small figures">{answerLabel(data)}</span>
          </span>
          <DeliveryAnswer delivery={data} />
        </Stack>
      )}
    </Section>
  );
}
