/** The name of the member who made a change, with their email in a tooltip. Former members have no name. */
import { Skeleton, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ApiError } from '#web/api/api-error.ts';
import { memberQuery } from './queries.ts';

export function MemberName({ orgId, userId }: { orgId: string; userId: string }) {
  const { data, error, isPending } = useQuery(memberQuery(orgId, userId));
  if (isPending)
    return (
      <Skeleton renderRoot={(props) => <span {...props} />} height={12} width={72} display="inline-block" />
    );
  if (data === undefined) {
    const isGone = error instanceof ApiError && error.errorType === 'not-found';
    return <span>{isGone ? 'a former member' : 'someone'}</span>;
  }
  return (
    <Tooltip label={data.email}>
      <span>{data.name}</span>
    </Tooltip>
  );
}
