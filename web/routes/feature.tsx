/** /o/{orgId}/features/{featureId}: a feature's properties and its definition. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import type { Feature } from '#contracts/features';
import { isNotFound } from '../api/api-error.ts';
import { DeleteFeatureSection } from '../features/features/delete-feature-section.tsx';
import { FeatureForm } from '../features/features/feature-form.tsx';
import { FeatureSkeleton } from '../features/features/feature-skeleton.tsx';
import { PropertiesSection } from '../features/features/properties-section.tsx';
import { featureQuery } from '../features/features/queries.ts';
import { paths } from '../paths.ts';
import { useOrgId } from '../session/organisation.tsx';
import { CopyId } from '../ui/copy-id.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { Page } from '../ui/page.tsx';
import { UnsavedChanges } from '../ui/unsaved-changes.tsx';

export function FeaturePage() {
  const orgId = useOrgId();
  const { featureId = '' } = useParams();
  const { data: feature, error, refetch } = useQuery(featureQuery(orgId, featureId));
  const isGone = isNotFound(error);
  return (
    <Page
      title={feature?.name ?? 'Feature'}
      aside={feature && <CopyId value={feature.slug} label="slug" />}
      subtitle={feature?.description}
      crumbs={[
        { label: 'Dashboard', to: paths.dashboard(orgId) },
        { label: 'Features', to: paths.features(orgId) },
        { label: feature?.name ?? 'Feature' },
      ]}
    >
      {isGone ? (
        <EmptyState
          title="Feature Deleted"
          action={
            <Button component={Link} to={paths.features(orgId)} variant="default">
              Go to features
            </Button>
          }
        >
          This feature no longer exists. Environments may still run a version that contains it.
        </EmptyState>
      ) : feature !== undefined ? (
        <FeatureContent key={feature.id} orgId={orgId} feature={feature} />
      ) : error !== null ? (
        <ErrorState title="The feature could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : (
        <FeatureSkeleton />
      )}
    </Page>
  );
}

function FeatureContent({ orgId, feature }: { orgId: string; feature: Feature }) {
  const navigate = useNavigate();
  /** The forms of the page in which something is entered. Nothing is lost once the feature itself is deleted. */
  const dirty = useRef(new Set<'definition' | 'property'>());
  const mark = useCallback((form: 'definition' | 'property', isDirty: boolean) => {
    if (isDirty) dirty.current.add(form);
    else dirty.current.delete(form);
  }, []);
  const markDefinition = useCallback((isDirty: boolean) => mark('definition', isDirty), [mark]);
  const markProperty = useCallback((isDirty: boolean) => mark('property', isDirty), [mark]);
  return (
    <>
      <UnsavedChanges isDirty={() => dirty.current.size > 0} />
      <PropertiesSection orgId={orgId} feature={feature} onDirtyChange={markProperty} />
      <FeatureForm orgId={orgId} feature={feature} onDirtyChange={markDefinition} />
      <DeleteFeatureSection
        orgId={orgId}
        feature={feature}
        onDeleted={() => {
          dirty.current.clear();
          void navigate(paths.features(orgId));
        }}
      />
    </>
  );
}
