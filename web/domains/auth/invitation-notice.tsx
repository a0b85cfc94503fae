/** On the pages before sign-in: what the mailed invitation is for. Loaded apart, because few people come with one. */
import { IconMail } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { currentUserEndpoints } from '#contracts/console/organisations';
import { ApiError } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { Notice } from '#web/ui/states/notice.tsx';
import { type Invited, invitedText } from '#web/values/invited.ts';

export interface InvitationNoticeProps {
  readonly invitationId: string;
  /** What to do on this page: 'Sign in or sign up, then accept.' */
  readonly next: string;
}

export function InvitationNotice({ invitationId, next }: InvitationNoticeProps) {
  /** Null: it is no longer open. */
  const [invited, setInvited] = useState<Invited | null>();
  useEffect(() => {
    let isCurrent = true;
    call(currentUserEndpoints.invitation, { params: { invitationId } }).then(
      (found) => isCurrent && setInvited(found),
      // Anything else passes, and the console asks again after sign-in.
      (error: unknown) =>
        isCurrent && error instanceof ApiError && error.errorType === 'not-found' && setInvited(null),
    );
    return () => {
      isCurrent = false;
    };
  }, [invitationId]);
  if (invited === null)
    return (
      <Notice title="This invitation is no longer open">
        It was answered or cancelled, or is more than a week old. Ask for a new one.
      </Notice>
    );
  return (
    <Notice icon={IconMail} tone="neutral" role="status" title="You’re invited">
      {invited === undefined ? '\u00a0' : invitedText(invited)}
      <br />
      {next}
    </Notice>
  );
}
