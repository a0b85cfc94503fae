/** /o/{orgId}/plans/{planId}/{tabId?}: a plan. The tab `feature`, which opens first, has its values, `manage` its settings. */

import { Button, Skeleton } from '@mantine/core';
import { IconAdjustments } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useNavigate, useParams } from 'react-router';
import { isNotFound } from '#web/api/api-error.ts';
import { failedRead } from '#web/api/failed-read.ts';
import { ObjectHistory } from '#web/domains/activity/object-history.tsx';
import { featuresQuery } from '#web/domains/features/queries.ts';
import { DeletePlanDialog } from '#web/domains/plans/delete-plan-dialog.tsx';
import { FeatureConfiguration } from '#web/domains/plans/editor/feature-configuration.tsx';
import { GrantedToLine } from '#web/domains/plans/granted-to-line.tsx';
import { PlanDeleted } from '#web/domains/plans/plan-deleted.tsx';
import { PlanForm } from '#web/domains/plans/plan-form.tsx';
import { ProductsCard } from '#web/domains/plans/products/products-card.tsx';
import { planQuery, planVersionQuery } from '#web/domains/plans/queries.ts';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { CopyId } from '#web/ui/copy/copy-id.tsx';
import { discardUnsaved } from '#web/ui/dialogs/guarded-forms.ts';
import { sentence } from '#web/ui/format.ts';
import { Page } from '#web/ui/page/page.tsx';
import { RemovalSection } from '#web/ui/page/removal-section.tsx';
import { TabLinks } from '#web/ui/page/tab-links.tsx';
import { ErrorState } from '#web/ui/states/error-state.tsx';

export function PlanPage() {
  const orgId = useOrgId();
  const { planId = '', tabId = 'feature' } = useParams();
  const { data: plan, error, refetch } = useQuery(planQuery(orgId, planId));
  const navigate = useNavigate();
  const isGone = isNotFound(error);
  if (tabId !== 'manage' && tabId !== 'feature') return <Navigate to={paths.plan(orgId, planId)} replace />;
  return (
    <Page
      title={plan?.name ?? 'Plan'}
      aside={plan && <CopyId value={plan.planSlug} label="slug" />}
      subtitle={
        plan === undefined && error === null ? <Skeleton height={14} my={3} maw={280} /> : plan?.description
      }
      parents={[{ label: 'Plans', to: paths.plans(orgId) }]}
    >
      {isGone ? (
        <PlanDeleted />
      ) : error && plan === undefined ? (
        <ErrorState title="This plan could not be loaded" error={error} onRetry={refetch} />
      ) : (
        <>
          <TabLinks
            // A plan without a description has its tabs elsewhere.
            key={plan === undefined ? 'loading' : 'loaded'}
            label="Plan"
            current={tabId}
            tabs={[
              { id: 'feature', label: 'Features', to: paths.plan(orgId, planId, 'feature') },
              { id: 'manage', label: 'Manage', to: paths.plan(orgId, planId, 'manage') },
            ]}
          />
          {tabId === 'feature' ? (
            <>
              <GrantedToLine plan={plan} />
              <PlanFeatures planId={planId} version={plan?.currentVersion} />
            </>
          ) : (
            <>
              <PlanForm key={planId} planId={planId} plan={plan} />
              {plan !== undefined && (
                <>
                  <ProductsCard key={`${planId} products`} plan={plan} />
                  <ObjectHistory key={`${planId} history`} target={planId} />
                  <RemovalSection
                    title="Remove this plan"
                    description="Removes the plan and its values from the workspace. Environments keep their current version until you deploy a new one."
                    label={sentence`Remove ${plan.name}`}
                  >
                    {(isAsking, close) => (
                      <DeletePlanDialog
                        plan={isAsking ? plan : null}
                        onClose={close}
                        onDeleted={() => {
                          discardUnsaved();
                          void navigate(paths.plans(orgId), { replace: true });
                        }}
                      />
                    )}
                  </RemovalSection>
                </>
              )}
            </>
          )}
        </>
      )}
    </Page>
  );
}

function PlanFeatures({ planId, version }: { planId: string; version: number | undefined }) {
  const orgId = useOrgId();
  const features = useQuery(featuresQuery(orgId));
  const values = useQuery(planVersionQuery(orgId, planId, version));
  const failed = failedRead(features, values);
  if (failed !== null) return <ErrorState title="The plan’s values could not be loaded" {...failed} />;
  return (
    <FeatureConfiguration
      features={features.data}
      properties={values.data?.properties}
      action={
        <Button
          component={Link}
          to={paths.planFeatures(orgId, planId)}
          leftSection={<IconAdjustments size={16} aria-hidden />}
        >
          Configure Features
        </Button>
      }
    />
  );
}
