/** /o/:orgId/settings: what the organisation is called, and where its data is kept. */
import { useQuery } from '@tanstack/react-query';
import { organisationQuery } from '../features/organisations/queries.ts';
import { ReadOnlyNotice } from '../features/organisations/read-only-notice.tsx';
import { RegionsSection } from '../features/organisations/regions-section.tsx';
import { SettingsForm } from '../features/organisations/settings-form.tsx';
import { SettingsFormSkeleton } from '../features/organisations/settings-form-skeleton.tsx';
import { InternalSection } from '../features/sudo/internal-section.tsx';
import { paths } from '../paths.ts';
import { useOrgId } from '../session/organisation.tsx';
import { useSession } from '../session/session.ts';
import { CopyId } from '../ui/copy-id.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { Page } from '../ui/page.tsx';

export function SettingsPage() {
  const orgId = useOrgId();
  const { isSudoAccess } = useSession();
  const { data, error, refetch } = useQuery(organisationQuery(orgId));
  const canEdit = data?.userPermissions.includes('org:edit') ?? false;
  return (
    <Page
      title="Settings"
      aside={<CopyId value={orgId} label="organisation id" />}
      subtitle="What the organisation is called, and where in the world its environments are kept."
      crumbs={[{ label: 'Dashboard', to: paths.dashboard(orgId) }, { label: 'Settings' }]}
    >
      {error !== null && data === undefined ? (
        <ErrorState title="The settings could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : (
        <>
          {data !== undefined && !canEdit && <ReadOnlyNotice orgId={orgId} />}
          {data === undefined ? (
            <SettingsFormSkeleton />
          ) : (
            <SettingsForm organisation={data} canEdit={canEdit} />
          )}
          <RegionsSection orgId={orgId} flags={data?.dataLocations} canEdit={canEdit} />
          {isSudoAccess && <InternalSection orgId={orgId} />}
        </>
      )}
    </Page>
  );
}
