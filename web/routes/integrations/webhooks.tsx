/** /o/{orgId}/webhooks: the addresses that the organisation is told at. */
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { MAX_WEBHOOKS, type Webhook } from '#contracts/console/webhooks';
import { environmentsQuery } from '#web/domains/environments/queries.ts';
import { NewSecret } from '#web/domains/webhooks/new-secret.tsx';
import { webhooksQuery } from '#web/domains/webhooks/queries.ts';
import { WebhooksTable } from '#web/domains/webhooks/webhooks-table.tsx';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { useCreating } from '#web/ui/dialogs/use-creating.ts';
import { codeApart } from '#web/ui/loading/loaded-apart.tsx';
import { OptionalPart } from '#web/ui/loading/optional-part.tsx';
import { Page } from '#web/ui/page/page.tsx';
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
