/** Banner above every page for the first pending invitation, until the user accepts or rejects it. Loaded apart. */
import { Button, Flex, Group } from '@mantine/core';
import { useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router';
import type { currentUserEndpoints } from '#contracts/console/organisations';
import type { AnswerOf } from '#contracts/public/endpoint';
import { useAcceptInvitation, useRejectInvitation } from '#web/domains/organisations/invitation-mutations.ts';
import { paths } from '#web/paths.ts';
import { takeAcceptedInvitation } from '#web/session/accepted-invitation.ts';
import { selectOrganisation } from '#web/session/selected-organisation.ts';
import { toast } from '#web/toast.ts';
import { invitedText } from '#web/values/invited.ts';
import classes from './invitation-banner.module.css';

export interface InvitationBannerProps {
  /** Undefined: it was answered. */
  readonly invitation: AnswerOf<typeof currentUserEndpoints.invitations>[number] | undefined;
}

export function InvitationBanner({ invitation }: InvitationBannerProps) {
  const accept = useAcceptInvitation();
  const reject = useRejectInvitation();
  const navigate = useNavigate();
  const acceptIt = (id: string) =>
    accept.mutate(id, {
      onSuccess: ({ member }) => {
        toast.success('Accepted invite', { description: 'Well done.' });
        selectOrganisation(member.organizationId);
        navigate(paths.home);
      },
    });
  const acceptIfAccepted = useEffectEvent((id: string) => takeAcceptedInvitation(id) && acceptIt(id));
  const invitationId = invitation?.id;
  useEffect(() => {
    if (invitationId !== undefined) acceptIfAccepted(invitationId);
  }, [invitationId]);
  if (invitation === undefined) return null;
  const isBusy = accept.isPending || reject.isPending;
  return (
    <section className={classes.banner} aria-label="Invitation">
      <Group gap="10px 24px" justify="space-between" maw="var(--content-width)" my={0} mx="auto">
        <div className={`column shrink ${classes.text}`}>
          <strong>
            Join Organisation <bdi>{invitation.organisationName}</bdi>?
          </strong>
          <span>Accept the invitation below to join the organisation</span>
          <span className="muted small">{invitedText(invitation)}</span>
        </div>
        <Flex gap={8}>
          <Button disabled={isBusy} onClick={() => acceptIt(invitation.id)}>
            Accept invitation
          </Button>
          <Button
            variant="default"
            disabled={isBusy}
            onClick={() =>
              reject.mutate(invitation.id, { onSuccess: () => toast.success('Rejected invite') })
            }
          >
            Reject
          </Button>
        </Flex>
      </Group>
    </section>
  );
}
