/** The webhook's state, what is wrong with it in Stripe, the time of its last event, and a form that creates it again. */
import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import type { StripeIntegration } from '#contracts/console/stripe';
import { useOrgId } from '#web/session/organisation.tsx';
import { toast } from '#web/toast.ts';
import { CopyBadge } from '#web/ui/copy/copy-badge.tsx';
import { Age } from '#web/ui/labels/age.tsx';
import { StatusLabel } from '#web/ui/labels/status-label.tsx';
import { Section } from '#web/ui/page/section.tsx';
import { Notice } from '#web/ui/states/notice.tsx';
import classes from './stripe.module.css';
import { webhookProblems, webhookState } from './webhook-health.ts';
import { WebhookStep } from './webhook-step.tsx';

export function WebhookSection({ integration }: { readonly integration: StripeIntegration }) {
  const orgId = useOrgId();
  const { hasWebhook, webhook, webhookHealth, lastEventAt } = integration;
  const [isRenewing, setIsRenewing] = useState(false);
  const problems = webhookProblems(integration);
  const state = webhookState(integration);
  const isOpen = isRenewing || !hasWebhook || problems.length > 0;
  return (
    <Section
      isSplit
      title="Webhook"
      description="Stripe notifies Tessera when a customer subscribes, upgrades or cancels."
      footer={
        (isRenewing || !isOpen) && (
          <Button variant="default" aria-expanded={isRenewing} onClick={() => setIsRenewing((is) => !is)}>
            {isRenewing ? 'Keep the webhook' : 'Replace webhook'}
          </Button>
        )
      }
    >
      <Stack gap={16} maw={480}>
        <dl className={`facts column gap-12 ${classes.facts}`}>
          <div>
            <dt>State</dt>
            <dd>
              <StatusLabel tone={state.tone}>{state.label}</StatusLabel>
            </dd>
          </div>
          <div>
            <dt>Last event</dt>
            <dd>{lastEventAt === null ? 'None yet' : <Age at={lastEventAt} />}</dd>
          </div>
          {webhookHealth?.apiVersion && (
            <div>
              <dt>API version</dt>
              <dd>{webhookHealth.apiVersion}</dd>
            </div>
          )}
          <div>
            <dt>URL</dt>
            <dd className={classes.copied}>
              <code>{webhook.url}</code>
              <CopyBadge value={webhook.url} label="the URL" />
            </dd>
          </div>
        </dl>
        {problems.length > 0 && webhookHealth !== null && (
          <Notice role="note" title="The webhook needs attention">
            {problems.join(' ')} Tessera still finds changes every ten minutes. Checked{' '}
            <Age at={webhookHealth.checkedAt} />.
          </Notice>
        )}
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
