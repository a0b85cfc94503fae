/** The latest changes of one object, at the end of its page. */
import { Anchor, Skeleton, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { ActivityKind } from '#contracts/console/activity';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { Section } from '#web/ui/page/section.tsx';
import { ErrorState } from '#web/ui/states/error-state.tsx';
import { ActivityList } from './activity-list.tsx';
import { activityQuery } from './queries.ts';

const MAX_SHOWN = 6;

export interface ObjectHistoryProps {
  /** The object's id. */
  readonly target: string;
  /** Only changes of this kind; undefined: all, with those of what belongs to the object. */
  readonly kind?: ActivityKind | undefined;
}

export function ObjectHistory({ target, kind }: ObjectHistoryProps) {
  const orgId = useOrgId();
  const { data, error, refetch } = useInfiniteQuery(
    activityQuery(orgId, { target, ...(kind !== undefined && { kind }) }),
  );
  const page = data?.pages[0];
  return (
    <Section
      title="History"
      isFlush
      footer={
        (page?.items.length ?? 0) > MAX_SHOWN && (
          <Anchor component={Link} to={paths.activity(orgId, { target, kind })} fz="sm">
            Show all changes
          </Anchor>
        )
      }
    >
      {page !== undefined ? (
        page.items.length === 0 ? (
          <Text c="dimmed" fz="sm" py={14} px={20}>
            No changes recorded.
          </Text>
        ) : (
          <ActivityList
            label="History"
            items={page.items.slice(0, MAX_SHOWN)}
            names={page.names}
            target={target}
          />
        )
      ) : error === null ? (
        <Skeleton height={120} m={16} w="auto" />
      ) : (
        <ErrorState title="The history could not be loaded" error={error} onRetry={refetch} />
      )}
    </Section>
  );
}
