/**
 * /o/{orgId}/integrations/stripe/{integrationId}/{tabId?}: one Stripe account. As long as a step of connecting it is
 * open, that is where its page begins; else with what can be managed.
 */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';
import { Link, Navigate, useNavigate, useParams } from 'react-router';
import type { Plan } from '#contracts/plans';
import type { StripeIntegration } from '#contracts/stripe';
import { isNotFound } from '../api/api-error.ts';
import { ConnectGuide } from '../features/integrations/stripe/connect-guide.tsx';
import { connectSteps, nextConnectStep } from '../features/integrations/stripe/connect-steps.ts';
import { CustomersPanel } from '../features/integrations/stripe/customers-panel.tsx';
import { DeleteStripeSection } from '../features/integrations/stripe/delete-stripe-section.tsx';
import { ProductsPanel } from '../features/integrations/stripe/products-panel.tsx';
import { stripeIntegrationQuery } from '../features/integrations/stripe/queries.ts';
import { SecretKeySection } from '../features/integrations/stripe/secret-key-section.tsx';
import { StripeForm } from '../features/integrations/stripe/stripe-form.tsx';
import { StripeSkeleton } from '../features/integrations/stripe/stripe-skeleton.tsx';
import { SyncSection } from '../features/integrations/stripe/sync-section.tsx';
import { TroubleNotice } from '../features/integrations/stripe/trouble-notice.tsx';
import { WebhookSection } from '../features/integrations/stripe/webhook-section.tsx';
import { plansQuery } from '../features/plans/queries.ts';
import { paths } from '../paths.ts';
import { useOrgId } from '../session/organisation.tsx';
import { CopyId } from '../ui/copy-id.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { ModeBadge } from '../ui/mode-badge.tsx';
import { Page } from '../ui/page.tsx';
import { TabLinks } from '../ui/tab-links.tsx';
import { UnsavedChanges } from '../ui/unsaved-changes.tsx';
import { useAddressSearch } from '../ui/use-address-search.ts';

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
  const { integrationId = '', tabId } = useParams();
  const { data, error, refetch } = useQuery(
    stripeIntegrationQuery(orgId, integrationId, tabId === 'connect'),
  );
  const isDeleted = isNotFound(error);
  const integration = isDeleted ? undefined : data;
  return (
    <Page
      title={integration?.name ?? 'Stripe integration'}
      aside={
        integration && (
          <>
            <ModeBadge isTest={integration.testMode} />
            <CopyId value={integration.accountId} label="account id" />
          </>
        )
      }
      subtitle={integration?.description}
      crumbs={[
        { label: 'Dashboard', to: paths.dashboard(orgId) },
        { label: 'Integrations', to: paths.integrations(orgId) },
        { label: integration?.name ?? 'Stripe integration' },
      ]}
    >
      {isDeleted ? (
        <EmptyState
          title="Integration Deleted"
          action={
            <Button component={Link} to={paths.integrations(orgId)} variant="default">
              All integrations
            </Button>
          }
        >
          This integration no longer exists. Its subscriptions grant no plan any more.
        </EmptyState>
      ) : integration !== undefined ? (
        <Tabs key={integration.id} orgId={orgId} integration={integration} tabId={tabId} />
      ) : error !== null ? (
        <ErrorState
          title="The integration could not be loaded"
          error={error}
          onRetry={() => void refetch()}
        />
      ) : (
        <StripeSkeleton />
      )}
    </Page>
  );
}

interface TabsProps {
  readonly orgId: string;
  readonly integration: StripeIntegration;
  readonly tabId: string | undefined;
}

function Tabs({ orgId, integration, tabId }: TabsProps) {
  const { data: plans } = useQuery(plansQuery(orgId));
  const isConnecting = nextConnectStep(connectSteps(integration)) !== undefined;
  const to = (tab: TabId) => paths.stripeIntegration(orgId, integration.id, tab);
  if (!isTab(tabId)) return <Navigate to={to(isConnecting ? 'connect' : 'manage')} replace />;
  const tabs = TABS.filter(({ id }) => id !== 'connect' || isConnecting || tabId === 'connect');
  return (
    <>
      <TroubleNotice trouble={integration.trouble} />
      <TabLinks label="Integration" current={tabId} tabs={tabs.map((tab) => ({ ...tab, to: to(tab.id) }))} />
      {tabId === 'connect' ? (
        <ConnectGuide orgId={orgId} integration={integration} onConnected={() => undefined} />
      ) : tabId === 'manage' ? (
        <Manage orgId={orgId} integration={integration} plans={plans} />
      ) : (
        <Stored key={tabId} orgId={orgId} integration={integration} plans={plans} what={tabId} />
      )}
    </>
  );
}

interface ContentProps {
  readonly orgId: string;
  readonly integration: StripeIntegration;
  readonly plans: readonly Plan[] | undefined;
}

function Manage({ orgId, integration, plans }: ContentProps) {
  const navigate = useNavigate();
  /** The forms in which something is entered. Nothing is lost once the integration itself is deleted. */
  const dirty = useRef(new Set<'details' | 'key'>());
  const mark = useCallback((form: 'details' | 'key', isDirty: boolean) => {
    if (isDirty) dirty.current.add(form);
    else dirty.current.delete(form);
  }, []);
  const markDetails = useCallback((isDirty: boolean) => mark('details', isDirty), [mark]);
  const markKey = useCallback((isDirty: boolean) => mark('key', isDirty), [mark]);
  return (
    <>
      <UnsavedChanges isDirty={() => dirty.current.size > 0} />
      <StripeForm orgId={orgId} integration={integration} onDirtyChange={markDetails} />
      <WebhookSection orgId={orgId} integration={integration} />
      <SyncSection orgId={orgId} integration={integration} />
      <SecretKeySection orgId={orgId} integration={integration} onDirtyChange={markKey} />
      <DeleteStripeSection
        orgId={orgId}
        integration={integration}
        plans={plans}
        onDeleted={() => {
          dirty.current.clear();
          void navigate(paths.integrations(orgId), { replace: true });
        }}
      />
    </>
  );
}

function Stored({ what, ...content }: ContentProps & { readonly what: 'customers' | 'products' }) {
  const { text, setText, search: query } = useAddressSearch('query');
  const Panel = what === 'customers' ? CustomersPanel : ProductsPanel;
  return <Panel {...content} text={text} onText={setText} query={query} />;
}
