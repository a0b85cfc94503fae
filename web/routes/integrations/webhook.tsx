/** /o/{orgId}/webhooks/{webhookId}/{tabId?}: one webhook: what was sent to it, and its settings. */
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router';
import type { Webhook } from '#contracts/console/webhooks';
import { isNotFound } from '#web/api/api-error.ts';
import { ObjectHistory } from '#web/domains/activity/object-history.tsx';
import { environmentsQuery } from '#web/domains/environments/queries.ts';
import { DeleteWebhookSection } from '#web/domains/webhooks/delete-webhook-section.tsx';
import { DeliveriesSection } from '#web/domains/webhooks/deliveries-section.tsx';
import { DisableWebhook } from '#web/domains/webhooks/disable-webhook.tsx';
import { webhookQuery } from '#web/domains/webhooks/queries.ts';
import { SecretSection } from '#web/domains/webhooks/secret-section.tsx';
import { TestSection } from '#web/domains/webhooks/test-section.tsx';
import { WebhookForm } from '#web/domains/webhooks/webhook-form.tsx';
import { webhookState } from '#web/domains/webhooks/webhook-labels.ts';
import { WebhookNotice } from '#web/domains/webhooks/webhook-notice.tsx';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { CopyId } from '#web/ui/copy/copy-id.tsx';
import { discardUnsaved } from '#web/ui/dialogs/guarded-forms.ts';
import { StatusLabel } from '#web/ui/labels/status-label.tsx';
import { Page } from '#web/ui/page/page.tsx';
import { TabLinks } from '#web/ui/page/tab-links.tsx';
import { DeletedState } from '#web/ui/states/deleted-state.tsx';
import { ErrorState } from '#web/ui/states/error-state.tsx';

export function WebhookPage() {
  const orgId = useOrgId();
  const { webhookId = '', tabId } = useParams();
  const { data, error, refetch } = useQuery(webhookQuery(orgId, webhookId));
  const isDeleted = isNotFound(error);
  const webhook = isDeleted ? undefined : data;
  const list = { label: 'Webhooks', to: paths.webhooks(orgId) };
  return (
    <Page
      title={webhook?.url ?? 'Webhook'}
      crumb="Webhook"
      aside={webhook && <Aside webhook={webhook} />}
      subtitle={webhook?.description}
      parents={[list]}
      actions={webhook && <DisableWebhook webhook={webhook} />}
    >
      {webhook !== undefined ? (
        <>
          <WebhookNotice webhook={webhook} />
          <TabLinks
            label="Webhook"
            current={tabId === 'manage' ? 'manage' : 'deliveries'}
            tabs={[
              { id: 'deliveries', label: 'Deliveries', to: paths.webhook(orgId, webhookId) },
              { id: 'manage', label: 'Manage', to: paths.webhook(orgId, webhookId, 'manage') },
            ]}
          />
          {tabId === 'manage' ? (
            <Manage key={webhook.id} webhook={webhook} />
          ) : (
            <Deliveries key={webhook.id} webhook={webhook} />
          )}
        </>
      ) : isDeleted ? (
        <DeletedState title="Webhook Deleted" list={{ ...list, label: 'All webhooks' }}>
          This webhook no longer exists. Nothing is sent to its address.
        </DeletedState>
      ) : error !== null ? (
        <ErrorState title="The webhook could not be loaded" error={error} onRetry={refetch} />
      ) : (
        <Skeleton height={320} radius={8} />
      )}
    </Page>
  );
}

interface ContentProps {
  readonly webhook: Webhook;
}

function Aside({ webhook }: ContentProps) {
  const { tone, label } = webhookState(webhook);
  return (
    <>
      <StatusLabel tone={tone}>{label}</StatusLabel>
      <CopyId value={webhook.id} label="webhook ID" />
    </>
  );
}

function Deliveries({ webhook }: ContentProps) {
  return (
    <>
      <TestSection webhook={webhook} />
      <DeliveriesSection webhook={webhook} />
    </>
  );
}

function Manage({ webhook }: ContentProps) {
  const orgId = useOrgId();
  const navigate = useNavigate();
  const environments = useQuery(environmentsQuery(orgId)).data;
  return (
    <>
      <WebhookForm webhook={webhook} environments={environments} />
      <SecretSection webhook={webhook} />
      <ObjectHistory target={webhook.id} />
      <DeleteWebhookSection
        webhook={webhook}
        onDeleted={() => {
          discardUnsaved();
          void navigate(paths.webhooks(orgId), { replace: true });
        }}
      />
    </>
  );
}
