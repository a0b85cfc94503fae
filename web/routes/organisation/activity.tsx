/** /o/{orgId}/team/activity?actor=…&kind=…&target=…&range=…: who changed what. */
import { Button, Skeleton } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { activityEndpoints } from '#contracts/console/activity';
import { addressOf } from '#web/api/call.ts';
import { ActivityFilters } from '#web/domains/activity/activity-filters.tsx';
import { ActivityList } from '#web/domains/activity/activity-list.tsx';
import { actorName } from '#web/domains/activity/describe-activity.ts';
import { activityQuery } from '#web/domains/activity/queries.ts';
import { useActivitySearch } from '#web/domains/activity/use-activity-search.ts';
import { teamQuery } from '#web/domains/team/queries.ts';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { Page } from '#web/ui/page/page.tsx';
import { Section } from '#web/ui/page/section.tsx';
import { EmptyState } from '#web/ui/states/empty-state.tsx';
import { ErrorState } from '#web/ui/states/error-state.tsx';
import { TeamTabs } from './team-tabs.tsx';

export function ActivityPage() {
  const orgId = useOrgId();
  const { search, filter, change } = useActivitySearch();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    activityQuery(orgId, filter),
  );
  const team = useQuery(teamQuery(orgId)).data ?? [];
  const items = data?.pages.flatMap((page) => page.items);
  const names = Object.assign({}, ...(data?.pages ?? []).map((page) => page.names));
  const actor = items?.find((item) => item.actor.id === search.actor)?.actor;
  return (
    <Page
      parents={[{ label: 'Team', to: paths.team(orgId) }]}
      actions={
        <Button
          variant="default"
          component="a"
          href={addressOf(activityEndpoints.export, { orgId }, filter)}
          download
          leftSection={<IconDownload size={15} aria-hidden />}
        >
          Export CSV
        </Button>
      }
    >
      <TeamTabs current="activity" />
      <ActivityFilters
        search={search}
        onChange={change}
        people={team.flatMap(({ userId, name, email }) =>
          userId === null ? [] : [{ value: userId, label: name ?? email }],
        )}
        actorLabel={actor === undefined ? undefined : actorName(actor)}
        targetLabel={search.target === undefined ? undefined : names[search.target]}
      />
      {items === undefined ? (
        error === null ? (
          <Skeleton height={320} radius={8} />
        ) : (
          <ErrorState title="The activity could not be loaded" error={error} onRetry={refetch} />
        )
      ) : items.length === 0 ? (
        <EmptyState title="No changes found">No change matches these filters.</EmptyState>
      ) : (
        <Section
          isFlush
          footer={
            hasNextPage && (
              <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                Show older changes
              </Button>
            )
          }
        >
          <ActivityList
            label="Activity"
            items={items}
            names={names}
            onActor={({ id }) => change({ actor: id })}
          />
        </Section>
      )}
    </Page>
  );
}
