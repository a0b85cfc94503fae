/** Above a webhook's page: it is disabled, or its address fails. Renders nothing while all is well. */
import { Button, Group } from '@mantine/core';
import { DELIVERIES_KEPT_DAYS, type DisabledBecause, type Webhook } from '#contracts/console/webhooks';
import { useOrgId } from '#web/session/organisation.tsx';
import { toast } from '#web/toast.ts';
import { Age } from '#web/ui/labels/age.tsx';
import { Notice } from '#web/ui/states/notice.tsx';
import { useSwitchWebhook } from './mutations.ts';

const TITLES: Readonly<Record<DisabledBecause, string>> = {
  member: 'This webhook is disabled',
  gone: 'Disabled, because the address answered 410 Gone',
  failing: 'Disabled, because nothing was delivered for five days',
};

export function WebhookNotice({ webhook }: { readonly webhook: Webhook }) {
  const enable = useSwitchWebhook(useOrgId(), webhook.id);
  const { disabledBecause, failingSince } = webhook;
  if (disabledBecause !== null) {
    return (
      <Notice isWide role="note" title={TITLES[disabledBecause]}>
        <Group gap="8px 16px" justify="space-between">
          <span>
            {`Nothing is sent. New events are listed as failed for ${DELIVERIES_KEPT_DAYS} days: “Resend failed” sends them once the webhook is enabled.`}
          </span>
          <Button
            variant="default"
            loading={enable.isPending}
            onClick={() => enable.mutate(true, { onSuccess: () => toast.success('Webhook enabled') })}
          >
            Enable webhook
          </Button>
        </Group>
      </Notice>
    );
  }
  if (failingSince === null) return null;
  return (
    <Notice isWide role="note" title="Deliveries fail">
      The first attempt failed <Age at={failingSince} />, and none has succeeded since. Each event is tried
      ten times within three days. After five days without a delivery the webhook is disabled, and owners and
      admins get an email.
    </Notice>
  );
}
