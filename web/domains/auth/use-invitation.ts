/** The invitation that a mailed link is for, read without a session. */
import { useEffect, useState } from 'react';
import { currentUserEndpoints } from '#contracts/console/organisations';
import { ApiError } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import type { Invited } from '#web/values/invited.ts';

export interface ReadInvitation {
  readonly isPending: boolean;
  /** Null: it is no longer open. Undefined: it could not be read, and the console asks again after sign-in. */
  readonly invited: Invited | null | undefined;
}

export function useInvitation(invitationId: string): ReadInvitation {
  const [read, setRead] = useState<ReadInvitation>({ isPending: true, invited: undefined });
  useEffect(() => {
    let isCurrent = true;
    const show = (invited: ReadInvitation['invited']) => isCurrent && setRead({ isPending: false, invited });
    call(currentUserEndpoints.invitation, { params: { invitationId } }).then(show, (error: unknown) =>
      show(error instanceof ApiError && error.errorType === 'not-found' ? null : undefined),
    );
    return () => {
      isCurrent = false;
    };
  }, [invitationId]);
  return read;
}

export const CLOSED = {
  title: 'This invitation is no longer open',
  text: 'It was answered or canceled, or is more than a week old. Ask for a new one.',
} as const;
