/** /o/{orgId}/plans/{planId}/edit-features: the full-page editor of a plan's values. */

import { Button } from '@mantine/core';
import { IconBox } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from 'react-router';
import { isNotFound } from '#web/api/api-error.ts';
import { failedRead } from '#web/api/failed-read.ts';
import { featuresQuery } from '#web/domains/features/queries.ts';
import { FeatureEditor } from '#web/domains/plans/editor/feature-editor.tsx';
import { FeatureEditorSkeleton } from '#web/domains/plans/editor/feature-editor-skeleton.tsx';
import { PlanDeleted } from '#web/domains/plans/plan-deleted.tsx';
import { editorStartQuery } from '#web/domains/plans/queries.ts';
import { paths } from '#web/paths.ts';
import { MemberName } from '#web/session/member-name.tsx';
import { useOrgId } from '#web/session/organisation.tsx';
import { sentence } from '#web/ui/format.ts';
import { codeApart } from '#web/ui/loading/loaded-apart.tsx';
import { OptionalPart } from '#web/ui/loading/optional-part.tsx';
import { Page } from '#web/ui/page/page.tsx';
import { EmptyState } from '#web/ui/states/empty-state.tsx';
import { ErrorState } from '#web/ui/states/error-state.tsx';

const impactDialog = codeApart(
  async () =>
    (await import('#web/domains/environments/versions/impact/plan-impact-dialog.tsx')).PlanImpactDialog,
);

export function PlanEditFeaturesPage() {
  const orgId = useOrgId();
  const { planId = '' } = useParams();
  const navigate = useNavigate();
  const start = useQuery(editorStartQuery(orgId, planId));
  const features = useQuery(featuresQuery(orgId));
  const failed = failedRead(start, features);
  const name = start.data?.plan.name;
  const isEmpty =
    features.data?.length === 0 && Object.keys(start.data?.version.properties ?? {}).length === 0;
  return (
    <Page
      title={name === undefined ? 'Configure features' : sentence`Configure features of ${name}`}
      subtitle="Choose the plan’s features and set their values."
      parents={[
        { label: 'Plans', to: paths.plans(orgId) },
        { label: name ?? 'Plan', to: paths.plan(orgId, planId, 'feature') },
      ]}
      crumb="Configure features"
    >
      {start.data === undefined && isNotFound(start.error) ? (
        <PlanDeleted />
      ) : failed !== null ? (
        <ErrorState title="The plan’s values could not be loaded" {...failed} />
      ) : start.data === undefined || features.data === undefined ? (
        <FeatureEditorSkeleton onCancel={() => void navigate(paths.plan(orgId, planId, 'feature'))} />
      ) : isEmpty ? (
        <EmptyState
          title="No Features"
          action={
            <Button
              component={Link}
              to={paths.features(orgId)}
              leftSection={<IconBox size={16} aria-hidden />}
            >
              Create a feature
            </Button>
          }
        >
          Plans set the values of your features. Create your first feature, then come back.
        </EmptyState>
      ) : (
        <FeatureEditor
          key={planId}
          plan={start.data.plan}
          start={start.data.version}
          features={features.data}
          renderMember={(userId) => <MemberName orgId={orgId} userId={userId} />}
          renderImpact={(properties, onClose) => (
            <OptionalPart
              code={impactDialog}
              props={{ planId, planName: name ?? 'the plan', properties, onClose }}
              onFailure={onClose}
            />
          )}
        />
      )}
    </Page>
  );
}
