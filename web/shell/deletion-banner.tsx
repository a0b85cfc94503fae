/** Banner above every page of an organisation whose deletion is scheduled. Owners can cancel it here. */
import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useCancelDeletion } from '#web/domains/organisations/deletion-mutations.ts';
import { ownOrganisationsQuery } from '#web/session/queries.ts';
import { formatDay } from '#web/ui/format.ts';
import classes from './invitation-banner.module.css';

export interface DeletionBannerProps {
  readonly orgId: string;
  readonly name: string;
  /** Epoch milliseconds. */
  readonly dueAt: number;
}

export function DeletionBanner({ orgId, name, dueAt }: DeletionBannerProps) {
  const own = useQuery(ownOrganisationsQuery).data?.find(({ id }) => id === orgId);
  const cancel = useCancelDeletion(orgId);
  const isOwner = own?.role === 'owner';
  return (
    <section className={classes.banner} data-tone="danger" aria-label="Scheduled deletion">
      <Group gap="10px 24px" justify="space-between" maw="var(--content-width)" my={0} mx="auto">
        <div className={`column shrink ${classes.text}`}>
          <strong>
            {name} will be deleted on {formatDay(dueAt)}
          </strong>
          <span>Everything keeps working until then. {!isOwner && 'Owners can cancel the deletion.'}</span>
        </div>
        {isOwner && (
          <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel deletion
          </Button>
        )}
      </Group>
    </section>
  );
}
