/** /o/{orgId}/features/{featureId}: a feature's definition and properties. */

import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router';
import type { Feature } from '#contracts/console/features';
import { isNotFound } from '#web/api/api-error.ts';
import { ObjectHistory } from '#web/domains/activity/object-history.tsx';
import { DeleteFeatureDialog } from '#web/domains/features/delete-feature-dialog.tsx';
import { FeatureForm } from '#web/domains/features/feature-form.tsx';
import { PropertiesSection } from '#web/domains/features/properties-section.tsx';
import { featureQuery } from '#web/domains/features/queries.ts';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { CopyId } from '#web/ui/copy/copy-id.tsx';
import { discardUnsaved } from '#web/ui/dialogs/guarded-forms.ts';
import { sentence } from '#web/ui/format.ts';
import { Page } from '#web/ui/page/page.tsx';
import { RemovalSection } from '#web/ui/page/removal-section.tsx';
import { DeletedState } from '#web/ui/states/deleted-state.tsx';
import { ErrorState } from '#web/ui/states/error-state.tsx';

export function FeaturePage() {
  const orgId = useOrgId();
  const { featureId = '' } = useParams();
  const { data: feature, error, refetch } = useQuery(featureQuery(orgId, featureId));
  const isGone = isNotFound(error);
  return (
    <Page
      title={feature?.name ?? 'Feature'}
      aside={feature && <CopyId value={feature.slug} label="slug" />}
      subtitle={
        feature === undefined && error === null ? (
          <Skeleton height={14} my={3} maw={280} />
        ) : (
          feature?.description
        )
      }
      parents={[{ label: 'Features', to: paths.features(orgId) }]}
    >
      {isGone ? (
        <DeletedState title="Feature Deleted" list={{ label: 'Go to features', to: paths.features(orgId) }}>
          This feature no longer exists. Environments may still run a version that contains it.
        </DeletedState>
      ) : feature === undefined && error !== null ? (
        <ErrorState title="The feature could not be loaded" error={error} onRetry={refetch} />
      ) : (
        <FeatureContent key={featureId} featureId={featureId} feature={feature} />
      )}
    </Page>
  );
}

interface FeatureContentProps {
  readonly featureId: string;
  /** Undefined while it loads. */
  readonly feature: Feature | undefined;
}

function FeatureContent({ featureId, feature }: FeatureContentProps) {
  const orgId = useOrgId();
  const navigate = useNavigate();
  return (
    <>
      <PropertiesSection feature={feature} />
      <FeatureForm featureId={featureId} feature={feature} />
      {feature !== undefined && (
        <>
          <ObjectHistory target={featureId} />
          <RemovalSection
            title="Delete this feature"
            description="Removes the feature and its properties from the workspace. Environments keep their current version until you deploy a new one."
            label={sentence`Delete ${feature.name}`}
          >
            {(isAsking, close) => (
              <DeleteFeatureDialog
                feature={isAsking ? feature : null}
                onClose={close}
                onDeleted={() => {
                  discardUnsaved();
                  void navigate(paths.features(orgId));
                }}
              />
            )}
          </RemovalSection>
        </>
      )}
    </>
  );
}
