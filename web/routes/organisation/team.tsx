/** /o/{orgId}/team: members, invitations, and inviting people. */
import { Button } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { InviteDialog } from '#web/domains/team/invite-dialog.tsx';
import { teamQuery } from '#web/domains/team/queries.ts';
import { isOwner, type Viewer } from '#web/domains/team/team-rows.ts';
import { TeamTable } from '#web/domains/team/team-table.tsx';
import { useOrganisation, useOrgId, usePermission } from '#web/session/organisation.tsx';
import { useSession } from '#web/session/session.ts';
import { useCreating } from '#web/ui/dialogs/use-creating.ts';
import { Page } from '#web/ui/page/page.tsx';
import { ErrorState } from '#web/ui/states/error-state.tsx';
import { TeamTabs } from './team-tabs.tsx';

export function TeamPage() {
  const orgId = useOrgId();
  const { name } = useOrganisation();
  const { user, isSudoAccess } = useSession();
  const isEditor = usePermission('team-members:edit');
  // Until it is known, the page is as for most who open it.
  const canEdit = isEditor !== false;
  const { data, error, refetch } = useQuery(teamQuery(orgId));
  const [isInviting, inviting] = useCreating();
  const own = data?.find(({ userId }) => userId === user?.id)?.role;
  const viewer: Viewer = { userId: user?.id ?? '', role: own ?? (isSudoAccess ? 'sudo' : null), canEdit };
  return (
    <Page
      subtitle={
        canEdit
          ? 'People with access to this organisation, and their roles.'
          : 'People with access to this organisation. Owners and admins can invite people and change roles.'
      }
      actions={
        canEdit && (
          <Button
            leftSection={<IconUserPlus size={16} aria-hidden />}
            disabled={isEditor === undefined}
            onClick={inviting.open}
          >
            Invite a Team Member
          </Button>
        )
      }
    >
      <TeamTabs current="members" />
      {error !== null && data === undefined ? (
        <ErrorState title="The team could not be loaded" error={error} onRetry={refetch} />
      ) : (
        <TeamTable organisationName={name ?? 'the organisation'} rows={data} viewer={viewer} />
      )}
      <InviteDialog isOpen={isInviting} onClose={inviting.close} canMakeOwners={isOwner(viewer)} />
    </Page>
  );
}
