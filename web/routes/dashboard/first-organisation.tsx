/** The dashboard of somebody without an organisation. Loaded apart, because few people see it twice. */
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { paths } from '#web/paths.ts';
import { invitationsQuery } from '#web/session/queries.ts';
import { sentence } from '#web/ui/format.ts';
import { EmptyState } from '#web/ui/states/empty-state.tsx';

/** Where somebody is invited, the banner above has the page's one primary action. */
export function FirstOrganisation() {
  const { data: invitations = [], isPending } = useQuery(invitationsQuery);
  const [invitation] = invitations;
  if (isPending) return null;
  const create = (isPrimary: boolean) => (
    <Button
      component={Link}
      to={paths.createOrganisation}
      variant={isPrimary ? 'filled' : 'default'}
      leftSection={<IconPlus size={16} aria-hidden />}
    >
      Create organisation
    </Button>
  );
  if (invitation !== undefined)
    return (
      <EmptyState title={sentence`You’re invited to ${invitation.organisationName}`} action={create(false)}>
        Accept the invitation at the top of this page to see its features, plans and environments. You can
        also create an organisation of your own.
      </EmptyState>
    );
  return (
    <EmptyState title="Create your first organisation" action={create(true)}>
      An organisation contains one product’s features, plans and environments. If your team already has one,
      ask a teammate to invite you. It will appear at the top of this page.
    </EmptyState>
  );
}
