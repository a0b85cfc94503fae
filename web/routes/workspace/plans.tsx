/** /o/{orgId}/plans: the organisation's plans. /o/{orgId}/plans/compare: their values side by side. */

import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Link } from 'react-router';
import { failedRead } from '#web/api/failed-read.ts';
import { featuresQuery } from '#web/domains/features/queries.ts';
import { CompareSkeleton } from '#web/domains/plans/compare/compare-skeleton.tsx';
import { PlansGuide } from '#web/domains/plans/plans-guide.tsx';
import { PlansTable } from '#web/domains/plans/plans-table.tsx';
import { plansQuery, planVersionsQuery } from '#web/domains/plans/queries.ts';
import { paths } from '#web/paths.ts';
import { MemberName } from '#web/session/member-name.tsx';
import { useOrgId } from '#web/session/organisation.tsx';
import { useCreating } from '#web/ui/dialogs/use-creating.ts';
import { codeApart } from '#web/ui/loading/loaded-apart.tsx';
import { OptionalPart, whileOpen } from '#web/ui/loading/optional-part.tsx';
import { Page } from '#web/ui/page/page.tsx';
import { TabLinks } from '#web/ui/page/tab-links.tsx';
import { EmptyState } from '#web/ui/states/empty-state.tsx';
import { ErrorState } from '#web/ui/states/error-state.tsx';

/** Forms are loaded when one opens. */
const createDialog = codeApart(
  async () => (await import('#web/domains/plans/create-plan-dialog.tsx')).CreatePlanDialog,
);

const ComparePlans = lazy(async () => ({
  default: (await import('#web/domains/plans/compare/compare-plans.tsx')).ComparePlans,
}));

export function PlansPage() {
  return <Plans tab="list" />;
}

export function ComparePlansPage() {
  return <Plans tab="compare" />;
}

function Plans({ tab }: { tab: 'list' | 'compare' }) {
  const orgId = useOrgId();
  const { data, error, refetch } = useQuery(plansQuery(orgId));
  const [isCreating, creating] = useCreating();
  const create = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={creating.open}>
      Add a Plan
    </Button>
  );
  return (
    <Page crumb="Plans" actions={data?.length === 0 ? undefined : create}>
      {data === undefined && error ? (
        <ErrorState title="The plans could not be loaded" error={error} onRetry={refetch} />
      ) : data?.length === 0 ? (
        <PlansGuide action={create} />
      ) : (
        <>
          <TabLinks
            label="Plans"
            current={tab}
            tabs={[
              { id: 'list', label: 'All plans', to: paths.plans(orgId) },
              { id: 'compare', label: 'Compare', to: paths.comparePlans(orgId) },
            ]}
          />
          {tab === 'list' ? <PlansTable plans={data} /> : <Comparison />}
        </>
      )}
      <OptionalPart code={createDialog} {...whileOpen(isCreating, creating.close)} />
    </Page>
  );
}

function Comparison() {
  const orgId = useOrgId();
  const plans = useQuery(plansQuery(orgId));
  const features = useQuery(featuresQuery(orgId));
  const versions = useQuery(planVersionsQuery(orgId));
  const failed = failedRead(plans, features, versions);
  if (failed !== null) return <ErrorState title="The plans’ values could not be loaded" {...failed} />;
  if (plans.data === undefined || features.data === undefined || versions.data === undefined) {
    return <CompareSkeleton />;
  }
  if (features.data.length === 0) {
    return (
      <EmptyState
        title="No features to compare"
        action={
          <Button component={Link} to={paths.features(orgId)}>
            Create a feature
          </Button>
        }
      >
        The comparison shows each property’s value in every plan: 5 seats in Starter, 50 in Pro. Create your
        first feature, then come back.
      </EmptyState>
    );
  }
  return (
    <Suspense fallback={<CompareSkeleton />}>
      <ComparePlans
        plans={plans.data}
        features={features.data}
        versions={versions.data}
        renderMember={(userId) => <MemberName orgId={orgId} userId={userId} />}
      />
    </Suspense>
  );
}
