/** A customer's history: grants, overrides, usage adjustments and subscriptions, newest first. */
import { Button, Skeleton, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useOrgId } from '#web/session/organisation.tsx';
import { sentence } from '#web/ui/format.ts';
import { Age } from '#web/ui/labels/age.tsx';
import { Section } from '#web/ui/page/section.tsx';
import { ErrorState } from '#web/ui/states/error-state.tsx';
import { customerChangesQuery } from '../queries.ts';
import { type ChangeNames, describeChange } from './describe-change.ts';
import classes from './history-card.module.css';

export interface HistoryCardProps {
  readonly identifier: string;
  readonly names: ChangeNames;
  readonly renderMember: (userId: string) => ReactNode;
}

export function HistoryCard({ identifier, names, renderMember }: HistoryCardProps) {
  const orgId = useOrgId();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    customerChangesQuery(orgId, identifier),
  );
  const changes = data?.pages.flatMap(({ items }) => items);
  return (
    <Section
      title="History"
      description="Grants, overrides, usage adjustments and subscription changes."
      isFlush
      footer={
        hasNextPage && (
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show older changes
          </Button>
        )
      }
    >
      {changes === undefined ? (
        error === null ? (
          <Skeleton height={120} m={16} w="auto" />
        ) : (
          <ErrorState title="The history could not be loaded" error={error} onRetry={refetch} />
        )
      ) : changes.length === 0 ? (
        <Text c="dimmed" fz="sm" py={14} px={20}>
          Nothing has changed for this customer yet.
        </Text>
      ) : (
        <ol className={`list divided small ${classes.list}`} aria-label="History">
          {changes.map((change) => {
            const { what, detail } = describeChange(change, names);
            return (
              <li key={change.id}>
                <span className={classes.what}>
                  <span className="breaks">{what}</span>
                  {detail !== null && <span className="muted tiny breaks">{detail}</span>}
                </span>
                <span className="muted truncate">
                  {change.kind === 'subscription'
                    ? 'Stripe'
                    : change.actorKey !== null
                      ? sentence`key ${change.actorKey.name}`
                      : change.actorUserId !== null && renderMember(change.actorUserId)}
                </span>
                <span className={`muted figures nowrap text-end ${classes.when}`}>
                  <Age at={change.at} />
                </span>
              </li>
            );
          })}
        </ol>
      )}
    </Section>
  );
}
