/** /o/{orgId}/integrations/jwt/{integrationId}: one issuer of tokens: what is read of them, its key, and its end. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import type { JwtIntegration } from '#contracts/integrations';
import { isNotFound } from '../api/api-error.ts';
import { DeleteJwtSection } from '../features/integrations/jwt/delete-jwt-section.tsx';
import { JwtForm } from '../features/integrations/jwt/jwt-form.tsx';
import { JwtSkeleton } from '../features/integrations/jwt/jwt-skeleton.tsx';
import { PublicKeySection } from '../features/integrations/jwt/public-key-section.tsx';
import { jwtIntegrationQuery } from '../features/integrations/jwt/queries.ts';
import { paths } from '../paths.ts';
import { useOrgId } from '../session/organisation.tsx';
import { CopyId } from '../ui/copy-id.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { Page } from '../ui/page.tsx';
import { UnsavedChanges } from '../ui/unsaved-changes.tsx';

export function JwtIntegrationPage() {
  const orgId = useOrgId();
  const { integrationId = '' } = useParams();
  const { data, error, refetch } = useQuery(jwtIntegrationQuery(orgId, integrationId));
  const isDeleted = isNotFound(error);
  const integration = isDeleted ? undefined : data;
  return (
    <Page
      title={integration?.name ?? 'JWT integration'}
      aside={integration && <CopyId value={integration.id} label="integration id" />}
      subtitle={integration?.description}
      crumbs={[
        { label: 'Dashboard', to: paths.dashboard(orgId) },
        { label: 'Integrations', to: paths.integrations(orgId) },
        { label: integration?.name ?? 'JWT integration' },
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
          This integration no longer exists. Its tokens are not believed any more.
        </EmptyState>
      ) : integration !== undefined ? (
        <Content key={integration.id} orgId={orgId} integration={integration} />
      ) : error !== null ? (
        <ErrorState
          title="The integration could not be loaded"
          error={error}
          onRetry={() => void refetch()}
        />
      ) : (
        <JwtSkeleton />
      )}
    </Page>
  );
}

function Content({ orgId, integration }: { orgId: string; integration: JwtIntegration }) {
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
      <JwtForm orgId={orgId} integration={integration} onDirtyChange={markDetails} />
      <PublicKeySection orgId={orgId} integration={integration} onDirtyChange={markKey} />
      <DeleteJwtSection
        orgId={orgId}
        integration={integration}
        onDeleted={() => {
          dirty.current.clear();
          void navigate(paths.integrations(orgId), { replace: true });
        }}
      />
    </>
  );
}
