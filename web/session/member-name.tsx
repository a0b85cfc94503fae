/** The name of the member who made a change, with their email in a tooltip. Former members have no name. */
import { Skeleton, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ApiError } from '#web/api/api-error.ts';
import { useOrganisation } from './organisation.tsx';
import { memberQuery } from './queries.ts';
import { useSession } from './session.ts';

export interface MemberNameProps {
  readonly orgId: string;
  readonly userId: string;
  /** Shown for a user who is no member. */
  readonly unknown?: string;
}

export function MemberName({ orgId, userId, unknown = 'a former member' }: MemberNameProps) {
  const { data, error, isPending } = useQuery(memberQuery(orgId, userId));
  if (isPending)
    return (
      <Skeleton renderRoot={(props) => <span {...props} />} height={12} width={72} display="inline-block" />
    );
  if (data === undefined) {
    const isGone = error instanceof ApiError && error.errorType === 'not-found';
    return <span>{isGone ? unknown : 'someone'}</span>;
  }
  return (
    <Tooltip label={data.email}>
      <bdi>{data.name}</bdi>
    </Tooltip>
  );
}

/** Who saved the state that an edit met. 'someone else': platform staff, a former member, or nobody that the server named. */
export function OtherPerson({ userId }: { userId: string | undefined }) {
  const { orgId } = useOrganisation();
  const { user } = useSession();
  if (userId !== undefined && userId === user?.id) return 'you in another tab';
  if (userId === undefined || orgId === null) return 'someone else';
  return <MemberName orgId={orgId} userId={userId} unknown="someone else" />;
}
