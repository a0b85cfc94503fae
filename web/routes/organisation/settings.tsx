/** /o/{orgId}/settings: the organisation's name, its data regions, what support may do, and its deletion. */
import { Anchor } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { DeleteOrganisation } from '#web/domains/organisations/delete-organisation.tsx';
import { organisationQuery } from '#web/domains/organisations/queries.ts';
import { RegionsSection } from '#web/domains/organisations/regions-section.tsx';
import { SettingsForm } from '#web/domains/organisations/settings-form.tsx';
import { InternalSection } from '#web/domains/sudo/internal-section.tsx';
import { SupportAccessSection } from '#web/domains/support-access/support-access-section.tsx';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { useSession } from '#web/session/session.ts';
import { CopyId } from '#web/ui/copy/copy-id.tsx';
import { Page } from '#web/ui/page/page.tsx';
import { ErrorState } from '#web/ui/states/error-state.tsx';
import { Notice } from '#web/ui/states/notice.tsx';

export function SettingsPage() {
  const orgId = useOrgId();
  const { isSudoAccess } = useSession();
  const { data, error, refetch } = useQuery(organisationQuery(orgId));
  const canEdit = data?.userPermissions.includes('org:edit') ?? false;
  return (
    <Page aside={<CopyId value={orgId} label="organisation ID" />}>
      {error !== null && data === undefined ? (
        <ErrorState title="The settings could not be loaded" error={error} onRetry={refetch} />
      ) : (
        <>
          {data !== undefined && !canEdit && <ReadOnlyNotice />}
          <SettingsForm key={orgId} organisation={data} canEdit={canEdit} />
          <RegionsSection flags={data?.dataLocations} canEdit={canEdit} />
          <SupportAccessSection />
          <DeleteOrganisation />
          {isSudoAccess && <InternalSection />}
        </>
      )}
    </Page>
  );
}

function ReadOnlyNotice() {
  const orgId = useOrgId();
  return (
    <Notice isWide tone="neutral" icon={IconLock}>
      Only owners and admins can change settings. See who they are on the{' '}
      <Anchor component={Link} to={paths.team(orgId)} inherit underline="always">
        team page
      </Anchor>
      .
    </Notice>
  );
}
