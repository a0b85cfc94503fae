/** The notice of the invitation that led to the page, if one did. */
import { codeApart, LoadedApart } from '#web/ui/loading/loaded-apart.tsx';
import type { InvitationNoticeProps } from './invitation-notice.tsx';

const notice = codeApart(async () => (await import('./invitation-notice.tsx')).InvitationNotice);

export interface InvitedToProps extends Pick<InvitationNoticeProps, 'next'> {
  readonly invitationId: string | null;
}

export function InvitedTo({ invitationId, next }: InvitedToProps) {
  return invitationId !== null && <LoadedApart code={notice} props={{ invitationId, next }} />;
}
