/** /o/{orgId}/observe/{tabId}: placeholder for observability. Unknown tabs redirect to the first. */
import { Button } from '@mantine/core';
import { IconBroadcast, IconChartHistogram, IconListSearch } from '@tabler/icons-react';
import { Link, Navigate, useParams } from 'react-router';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { Page } from '#web/ui/page.tsx';
import { UnderConstruction } from '#web/ui/under-construction.tsx';

const TABS = ['events', 'live', 'metrics'];
const PLANNED = [
  {
    icon: IconListSearch,
    title: 'Events',
    text: 'Every access check and payment event: who asked, from where, what was answered and why.',
  },
  {
    icon: IconBroadcast,
    title: 'Live',
    text: 'The same as it happens, on a map of the world.',
  },
  {
    icon: IconChartHistogram,
    title: 'Metrics',
    text: 'How many were allowed and denied over time, and by which plans.',
  },
];

export function ObservabilityPage() {
  const orgId = useOrgId();
  const { tabId } = useParams();
  if (!TABS.includes(tabId ?? '')) return <Navigate to={paths.observability(orgId)} replace />;
  return (
    <Page
      title="Observability"
      subtitle="What your customers ask, and what they are answered."
      crumbs={[{ label: 'Dashboard', to: paths.dashboard(orgId) }, { label: 'Observability' }]}
    >
      <UnderConstruction
        planned={PLANNED}
        meanwhile="Until then, the dashboard counts requests by day, and a customer’s page shows their recent events."
        actions={
          <>
            <Button component={Link} to={paths.dashboard(orgId)}>
              Go to the dashboard
            </Button>
            <Button component={Link} to={paths.customers(orgId)} variant="default">
              Go to customers
            </Button>
          </>
        }
      >
        Access checks are recorded already. This page will be where you search them, watch them arrive, and
        see how they change over time.
      </UnderConstruction>
    </Page>
  );
}
