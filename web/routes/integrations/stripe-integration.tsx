/**
 * /o/{orgId}/integrations/stripe/{integrationId}/{tabId?}: one Stripe account. Without a tab it opens at 'connect' until the
 * account is connected, and at 'manage' afterwards.
 */
import { Group, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Navigate, useNavigate, useParams } from 'react-router';
import type { Plan } from '#contracts/console/plans';
import { MAX_SYNCED_SEARCH, type StripeIntegration } from '#contracts/console/stripe';
import { isSettled } from '#web/api/is-settled.ts';
import { ObjectHistory } from '#web/domains/activity/object-history.tsx';
import { useFrontendConfig } from '#web/domains/auth/frontend-config.ts';
import { featuresQuery } from '#web/domains/features/queries.ts';
import { IntegrationPage } from '#web/domains/integrations/integration-page.tsx';
import { ConnectGuide } from '#web/domains/integrations/stripe/connect-guide.tsx';
import { connectSteps, nextConnectStep } from '#web/domains/integrations/stripe/connect-steps.ts';
import { DeleteStripeSection } from '#web/domains/integrations/stripe/delete-stripe-section.tsx';
import { PolicySection } from '#web/domains/integrations/stripe/policy-section.tsx';
import { stripeIntegrationQuery } from '#web/domains/integrations/stripe/queries.ts';
import { SecretKeySection } from '#web/domains/integrations/stripe/secret-key-section.tsx';
import { StatusStrip } from '#web/domains/integrations/stripe/status-strip.tsx';
import { StripeForm } from '#web/domains/integrations/stripe/stripe-form.tsx';
import { SyncSection } from '#web/domains/integrations/stripe/sync-section.tsx';
import { CustomersPanel, ProductsPanel } from '#web/domains/integrations/stripe/synced-panels.tsx';
import { TopUpsSection } from '#web/domains/integrations/stripe/top-ups-section.tsx';
import { UserIdsSection } from '#web/domains/integrations/stripe/user-ids-section.tsx';
import { WebhookSection } from '#web/domains/integrations/stripe/webhook-section.tsx';
import { plansQuery } from '#web/domains/plans/queries.ts';
import { usageQuery } from '#web/domains/usage/queries.ts';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { CopyId } from '#web/ui/copy/copy-id.tsx';
import { discardUnsaved } from '#web/ui/dialogs/guarded-forms.ts';
import { Age } from '#web/ui/labels/age.tsx';
import { ModeBadge } from '#web/ui/labels/mode-badge.tsx';
import { TabLinks } from '#web/ui/page/tab-links.tsx';
import { useAddressSearch } from '#web/ui/page/use-address-search.ts';
import { Notice } from '#web/ui/states/notice.tsx';

const TABS = [
  { id: 'connect', label: 'Connect' },
  { id: 'manage', label: 'Manage' },
  { id: 'customers', label: 'Synced customers' },
  { id: 'products', label: 'Synced products' },
] as const;
type TabId = (typeof TABS)[number]['id'];
const isTab = (text: string | undefined): text is TabId => TABS.some(({ id }) => id === text);

export function StripeIntegrationPage() {
  const orgId = useOrgId();
  const { stripeId: integrationId = '', tabId } = useParams();
  const usage = useQuery(usageQuery(orgId));
  return (
    <IntegrationPage
      query={useQuery(stripeIntegrationQuery(orgId, integrationId, tabId === 'connect'))}
      fallbackTitle="Stripe integration"
      deletedEffect="Its subscriptions no longer grant plans."
      skeleton={<Loading />}
      renderAside={({ id, testMode, accountId }) => (
        <>
          <ModeBadge isTest={testMode} />
          <CopyId value={accountId} label="account ID" />
          <CopyId value={id} label="integration ID" />
        </>
      )}
    >
      {(integration) =>
        isSettled(usage) ? (
          <Tabs
            key={integration.id}
            integration={integration}
            hasUsage={usage.data?.hasUsage ?? false}
            tabId={tabId}
          />
        ) : (
          <Loading />
        )
      }
    </IntegrationPage>
  );
}

/** Which tabs there are follows from the integration. */
function Loading() {
  return (
    <>
      <Group gap={24} p={12} style={{ borderBottom: '1px solid var(--line)' }}>
        {[56, 76, 64].map((width) => (
          <Skeleton key={width} height={14} width={width} />
        ))}
      </Group>
      <StatusStrip integration={undefined} />
      <StripeForm />
    </>
  );
}

interface TabsProps {
  readonly integration: StripeIntegration;
  /** Decides whether it is connected, and with that which tabs there are. */
  readonly hasUsage: boolean;
  readonly tabId: string | undefined;
}

function Tabs({ integration, hasUsage, tabId }: TabsProps) {
  const orgId = useOrgId();
  const { data: plans } = useQuery(plansQuery(orgId));
  const { config } = useFrontendConfig();
  const isConnecting = nextConnectStep(connectSteps(integration, hasUsage)) !== undefined;
  const to = (tab: TabId) => paths.stripeIntegration(orgId, integration.id, tab);
  if (!isTab(tabId)) return <Navigate to={to(isConnecting ? 'connect' : 'manage')} replace />;
  const tabs = TABS.filter(({ id }) => id !== 'connect' || isConnecting || tabId === 'connect');
  return (
    <>
      <ConnectionErrorNotice trouble={integration.trouble} />
      <TabLinks label="Integration" current={tabId} tabs={tabs.map((tab) => ({ ...tab, to: to(tab.id) }))} />
      {tabId === 'connect' ? (
        <ConnectGuide
          integration={integration}
          hasUsage={hasUsage}
          config={config}
          onConnected={() => undefined}
        />
      ) : tabId === 'manage' ? (
        <Manage integration={integration} plans={plans} />
      ) : (
        <Synced key={tabId} integration={integration} plans={plans} what={tabId} />
      )}
    </>
  );
}

interface ContentProps {
  readonly integration: StripeIntegration;
  readonly plans: readonly Plan[] | undefined;
}

function Manage({ integration, plans }: ContentProps) {
  const orgId = useOrgId();
  const navigate = useNavigate();
  const { data: features } = useQuery(featuresQuery(orgId));
  return (
    <>
      <StatusStrip integration={integration} />
      <StripeForm integration={integration} />
      <PolicySection integration={integration} />
      <TopUpsSection integration={integration} features={features} />
      <UserIdsSection integration={integration} />
      <WebhookSection integration={integration} />
      <SyncSection integration={integration} />
      <SecretKeySection integration={integration} />
      <ObjectHistory target={integration.id} />
      <DeleteStripeSection
        integration={integration}
        plans={plans}
        onDeleted={() => {
          discardUnsaved();
          void navigate(paths.integrations(orgId), { replace: true });
        }}
      />
    </>
  );
}

function Synced({ what, ...content }: ContentProps & { readonly what: 'customers' | 'products' }) {
  const { text, setText, search: query } = useAddressSearch('query', MAX_SYNCED_SEARCH);
  const Panel = what === 'customers' ? CustomersPanel : ProductsPanel;
  return <Panel {...content} text={text} onText={setText} query={query} />;
}

/** Stripe is down, slow or rejects the key. Renders nothing while the connection works. */
function ConnectionErrorNotice({ trouble }: Pick<StripeIntegration, 'trouble'>) {
  if (trouble === null) return null;
  return (
    <Notice role="note" title="Stripe connection problem">
      {trouble.message} Data synced so far is kept, and access checks continue to use it. Last failed call:{' '}
      <Age at={trouble.at} />.
    </Notice>
  );
}
