/** In place of the sign-in form, for whoever follows a mailed invitation: who invites, to what, and one button. Loaded apart. */
import { Button } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { rememberAcceptedInvitation } from '#web/session/accepted-invitation.ts';
import { sentence } from '#web/ui/format.ts';
import { invitedText } from '#web/values/invited.ts';
import { AuthCard } from './auth-card.tsx';
import { CLOSED, useInvitation } from './use-invitation.ts';

export interface InvitationCardProps {
  readonly invitationId: string;
  /** Shows the form to sign in. */
  readonly onContinue: () => void;
}

export function InvitationCard({ invitationId, onContinue }: InvitationCardProps) {
  const { isPending, invited } = useInvitation(invitationId);
  if (invited === null)
    return (
      <AuthCard icon={IconMail} title={CLOSED.title} subtitle={CLOSED.text}>
        <Button variant="default" onClick={onContinue}>
          Continue to sign-in
        </Button>
      </AuthCard>
    );
  const accept = () => {
    rememberAcceptedInvitation(invitationId);
    onContinue();
  };
  return (
    <AuthCard
      icon={IconMail}
      title={invited === undefined ? 'You’re invited' : sentence`Join ${invited.organisationName}`}
      subtitle={invited === undefined ? '\u00a0' : invitedText(invited)}
      footer="Next, you’ll sign in or create your account."
    >
      <Button disabled={isPending} onClick={accept}>
        Accept
      </Button>
    </AuthCard>
  );
}
