/** /o/{orgId}/observe/{tabId}: recorded events, live view and metrics. Unknown tabs redirect to the first. */
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Navigate, useParams } from 'react-router';
import type { Event } from '#contracts/console/events';
import { environmentsQuery } from '#web/domains/environments/queries.ts';
import type { EventNames } from '#web/domains/events/event-names.ts';
import { EventViewerPart } from '#web/domains/events/event-viewer-part.tsx';
import { EventsTab } from '#web/domains/events/events-tab.tsx';
import { featuresQuery } from '#web/domains/features/queries.ts';
import { LiveTab } from '#web/domains/live/live-tab.tsx';
import { MetricsTab } from '#web/domains/metrics/metrics-tab.tsx';
import { organisationQuery } from '#web/domains/organisations/queries.ts';
import { plansQuery } from '#web/domains/plans/queries.ts';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { Page } from '#web/ui/page/page.tsx';
import { TabLinks } from '#web/ui/page/tab-links.tsx';

const TABS = { events: 'Events', live: 'Live', metrics: 'Metrics' } as const;
type Tab = keyof typeof TABS;

const isTab = (text: string): text is Tab => Object.hasOwn(TABS, text);

export function ObservabilityPage() {
  const orgId = useOrgId();
  const { tabId = '' } = useParams();
  if (!isTab(tabId)) return <Navigate to={paths.observability(orgId)} replace />;
  return (
    <Page parents={[{ label: 'Observability', to: paths.observability(orgId) }]} crumb={TABS[tabId]}>
      <TabLinks
        label="Observability"
        current={tabId}
        tabs={(Object.keys(TABS) as Tab[]).map((id) => ({
          id,
          label: TABS[id],
          to: paths.observability(orgId, id),
        }))}
      />
      {tabId === 'events' && <Events />}
      {tabId === 'live' && <Live />}
      {tabId === 'metrics' && <Metrics />}
    </Page>
  );
}

function Events() {
  const orgId = useOrgId();
  return <EventsTab names={useEventNames(orgId)} />;
}

/** An event opens beside the list, which goes on. Its link leads to the Events tab. */
function Live() {
  const orgId = useOrgId();
  const names = useEventNames(orgId);
  const [opened, setOpened] = useState<Event | null>(null);
  return (
    <>
      <LiveTab environments={names.environments} onOpen={setOpened} openId={opened?.id ?? null} />
      {opened !== null && (
        <EventViewerPart eventId={opened.id} known={opened} names={names} onClose={() => setOpened(null)} />
      )}
    </>
  );
}

function useEventNames(orgId: string): EventNames {
  const environments = useQuery(environmentsQuery(orgId)).data;
  const plans = useQuery(plansQuery(orgId)).data;
  const features = useQuery(featuresQuery(orgId)).data;
  return useMemo(() => ({ environments, plans, features }), [environments, plans, features]);
}

function Metrics() {
  const orgId = useOrgId();
  return (
    <MetricsTab
      environments={useQuery(environmentsQuery(orgId)).data}
      regions={useQuery(organisationQuery(orgId)).data?.dataLocations}
    />
  );
}
