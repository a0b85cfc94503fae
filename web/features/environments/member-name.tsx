/** Who did something: a member's name, or that nobody did. */
import { Skeleton, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { memberQuery } from './queries.ts';

export function MemberName({ orgId, userId }: { orgId: string; userId: string }) {
  const { data, isPending } = useQuery(memberQuery(orgId, userId));
  if (isPending) return <Skeleton height={12} width={72} display="inline-block" />;
  if (data === undefined) return <span>somebody who left</span>;
  return (
    <Tooltip label={data.email}>
      <span>{data.name}</span>
    </Tooltip>
  );
}
