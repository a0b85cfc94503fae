/**
 * /o/{orgId}/webhooks: the addresses that the organisation is told at; /o/{orgId}/webhooks/{webhookId}/{tabId?}: one of them, with what was
 * sent to it, and its settings.
 */
import { Button, Skeleton } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { MAX_WEBHOOKS, type Webhook } from '#contracts/console/webhooks';
import { isNotFound } from '#web/api/api-error.ts';
import { ObjectHistory } from '#web/domains/activity/object-history.tsx';
import { environmentsQuery } from '#web/domains/environments/queries.ts';
import { DeleteWebhookSection } from '#web/domains/webhooks/delete-webhook-section.tsx';
import { DeliveriesSection } from '#web/domains/webhooks/deliveries-section.tsx';
import { DisableWebhook } from '#web/domains/webhooks/disable-webhook.tsx';
import { NewSecret } from '#web/domains/webhooks/new-secret.tsx';
import { webhookQuery, webhooksQuery } from '#web/domains/webhooks/queries.ts';
import { SecretSection } from '#web/domains/webhooks/secret-section.tsx';
import { TestSection } from '#web/domains/webhooks/test-section.tsx';
import { WebhookForm } from '#web/domains/webhooks/webhook-form.tsx';
import { webhookState } from '#web/domains/webhooks/webhook-labels.ts';
import { WebhookNotice } from '#web/domains/webhooks/webhook-notice.tsx';
import { WebhooksTable } from '#web/domains/webhooks/webhooks-table.tsx';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { CopyId } from '#web/ui/copy/copy-id.tsx';
import { discardUnsaved } from '#web/ui/dialogs/guarded-forms.ts';
import { useCreating } from '#web/ui/dialogs/use-creating.ts';
import { StatusLabel } from '#web/ui/labels/status-label.tsx';
import { codeApart } from '#web/ui/loading/loaded-apart.tsx';
import { OptionalPart } from '#web/ui/loading/optional-part.tsx';
import { Page } from '#web/ui/page/page.tsx';
import { TabLinks } from '#web/ui/page/tab-links.tsx';
import { DeletedState } from '#web/ui/states/deleted-state.tsx';
import { EmptyState } from '#web/ui/states/empty-state.tsx';
import { ErrorState } from '#web/ui/states/error-state.tsx';

/** Forms are loaded when one opens. */
const createDialog = codeApart(
  async () => (await import('#web/domains/webhooks/create-webhook-dialog.tsx')).CreateWebhookDialog,
);

export function WebhooksPage() {
  const orgId = useOrgId();
  const { data, error, refetch } = useQuery(webhooksQuery(orgId));
  const environments = useQuery(environmentsQuery(orgId)).data;
  const [isCreating, creating] = useCreating();
  const [created, setCreated] = useState<(Webhook & { readonly secret: string }) | null>(null);
  const isFull = data !== undefined && data.length >= MAX_WEBHOOKS;
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={creating.open} disabled={isFull}>
      Add webhook
    </Button>
  );
  return (
    <Page
      actions={data?.length === 0 ? undefined : add}
      subtitle={
        isFull
          ? `An organisation can have at most ${MAX_WEBHOOKS} webhooks.`
          : 'Signed requests to your servers when something happens here.'
      }
    >
      {created !== null && (
        <NewSecret
          title="The webhook’s signing secret"
          secret={created.secret}
          action={
            <Button component={Link} to={paths.webhook(orgId, created.id)}>
              Open webhook
            </Button>
          }
          onDone={() => setCreated(null)}
        />
      )}
      {data === undefined && error !== null ? (
        <ErrorState title="The webhooks could not be loaded" error={error} onRetry={refetch} />
      ) : data?.length === 0 ? (
        <EmptyState
          title="No webhooks yet"
          example="environment.deployed → https://example.com/webhooks"
          action={add}
          docs={<Link to={paths.docs('webhooks')}>How to receive them</Link>}
        >
          Your server gets a signed request when something happens here, for example when a customer gains or
          loses access, or a version is deployed.
        </EmptyState>
      ) : (
        <WebhooksTable webhooks={data} environments={environments} />
      )}
      <OptionalPart
        code={createDialog}
        props={{ environments, isOpen: isCreating, onClose: creating.close, onCreated: setCreated }}
        isNeeded={isCreating}
        onFailure={creating.close}
      />
    </Page>
  );
}

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
