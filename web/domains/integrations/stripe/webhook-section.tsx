/** The webhook's state, the time of its last event, and a form that creates it again. */
import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import type { StripeIntegration } from '#contracts/console/stripe';
import { toast } from '#web/toast.ts';
import { Age } from '#web/ui/age.tsx';
import { CopyBadge } from '#web/ui/copy-badge.tsx';
import { Section } from '#web/ui/section.tsx';
import { StatusLabel } from '#web/ui/status-label.tsx';
import classes from './stripe.module.css';
import { WebhookStep } from './webhook-step.tsx';

export interface WebhookSectionProps {
  readonly orgId: string;
  readonly integration: StripeIntegration;
}

export function WebhookSection({ orgId, integration }: WebhookSectionProps) {
  const { hasWebhook, webhookManuallyAdded, webhook, lastEventAt } = integration;
  const [isRenewing, setIsRenewing] = useState(false);
  const isOpen = isRenewing || !hasWebhook;
  return (
    <Section
      isSplit
      title="Webhook"
      description="Stripe notifies Tessera when a customer subscribes, upgrades or cancels."
      footer={
        hasWebhook && (
          <Button variant="default" aria-expanded={isRenewing} onClick={() => setIsRenewing((is) => !is)}>
            {isRenewing ? 'Keep the webhook' : 'Replace webhook'}
          </Button>
        )
      }
    >
      <Stack gap={16}>
        <dl className={`facts column gap-12 ${classes.facts}`}>
          <div>
            <dt>State</dt>
            <dd>
              {hasWebhook ? (
                <StatusLabel tone="good">
                  {webhookManuallyAdded ? 'Added manually' : 'Created in Stripe'}
                </StatusLabel>
              ) : (
                <StatusLabel tone="waiting">No webhook: changes in Stripe do not arrive</StatusLabel>
              )}
            </dd>
          </div>
          <div>
            <dt>Last event</dt>
            <dd>{lastEventAt === null ? 'None yet' : <Age at={lastEventAt} />}</dd>
          </div>
          <div>
            <dt>URL</dt>
            <dd className={classes.copied}>
              <code>{webhook.url}</code>
              <CopyBadge value={webhook.url} label="the URL" />
            </dd>
          </div>
        </dl>
        {isOpen && (
          <WebhookStep
            orgId={orgId}
            integration={integration}
            onDone={() => {
              setIsRenewing(false);
              toast.success('Webhook saved');
            }}
          />
        )}
      </Stack>
    </Section>
  );
}
