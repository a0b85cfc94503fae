/** /o/{orgId}/observe/{tabId}: recorded events and metrics. Unknown tabs redirect to the first. */
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo } from 'react';
import { Navigate, useParams } from 'react-router';
import { environmentsQuery } from '#web/domains/environments/queries.ts';
import { EventsTab } from '#web/domains/events/events-tab.tsx';
import { featuresQuery } from '#web/domains/features/queries.ts';
import { plansQuery } from '#web/domains/plans/queries.ts';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { Page } from '#web/ui/page.tsx';
import { TabLinks } from '#web/ui/tab-links.tsx';

const TABS = { events: 'Events', metrics: 'Metrics' } as const;
type Tab = keyof typeof TABS;

const isTab = (text: string): text is Tab => Object.hasOwn(TABS, text);

const MetricsTab = lazy(async () => ({
  default: (await import('#web/domains/metrics/metrics-tab.tsx')).MetricsTab,
}));

export function ObservabilityPage() {
  const orgId = useOrgId();
  const { tabId = '' } = useParams();
  if (!isTab(tabId)) return <Navigate to={paths.observability(orgId)} replace />;
  return (
    <Page
      title="Observability"
      subtitle="Every decision of your environments: what was asked, what was answered, and why."
      crumbs={[
        { label: 'Dashboard', to: paths.dashboard(orgId) },
        { label: 'Observability', to: paths.observability(orgId) },
        { label: TABS[tabId] },
      ]}
    >
      <TabLinks
        label="Observability"
        current={tabId}
        tabs={(Object.keys(TABS) as Tab[]).map((id) => ({
          id,
          label: TABS[id],
          to: paths.observability(orgId, id),
        }))}
      />
      <Suspense>{tabId === 'events' ? <Events orgId={orgId} /> : <Metrics orgId={orgId} />}</Suspense>
    </Page>
  );
}

function Events({ orgId }: { orgId: string }) {
  const environments = useQuery(environmentsQuery(orgId)).data;
  const plans = useQuery(plansQuery(orgId)).data;
  const features = useQuery(featuresQuery(orgId)).data;
  const names = useMemo(() => ({ environments, plans, features }), [environments, plans, features]);
  return <EventsTab orgId={orgId} names={names} />;
}

function Metrics({ orgId }: { orgId: string }) {
  return <MetricsTab orgId={orgId} environments={useQuery(environmentsQuery(orgId)).data} />;
}
