/**
 * The last section of the settings, for owners: schedules the deletion of the organisation with its name and the password, or a
 * mailed link, and cancels it.
 */
import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { DELETION_DELAY_DAYS } from '#contracts/console/organisation-deletion';
import { MemberName } from '#web/session/member-name.tsx';
import { useOrgId } from '#web/session/organisation.tsx';
import { organisationSummaryQuery, ownOrganisationsQuery } from '#web/session/queries.ts';
import { formatAge, formatInstant, sentence } from '#web/ui/format.ts';
import { DangerSection } from '#web/ui/page/danger-section.tsx';
import { Section } from '#web/ui/page/section.tsx';
import { useNow } from '#web/ui/use-now.ts';
import { DeleteOrganisationDialog } from './delete-organisation-dialog.tsx';
import { useCancelDeletion } from './deletion-mutations.ts';

export function DeleteOrganisation() {
  const orgId = useOrgId();
  const [search, setSearch] = useSearchParams();
  const token = search.get('token');
  const [isAsking, setIsAsking] = useState(token !== null);
  const { data: summary } = useQuery(organisationSummaryQuery(orgId));
  const own = useQuery(ownOrganisationsQuery).data?.find(({ id }) => id === orgId);
  const cancel = useCancelDeletion(orgId);
  const now = useNow(10_000);
  if (own?.role !== 'owner' || summary === undefined) return null;
  const { deletion } = summary;
  if (deletion !== null) {
    return (
      <Section
        isDanger
        title={sentence`${summary.name} will be deleted ${formatAge(deletion.dueAt, now)}`}
        description="Until then everything keeps working, and every owner can cancel."
        actions={
          <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel deletion
          </Button>
        }
      >
        <Stack gap={4}>
          <Text>Starts on {formatInstant(deletion.dueAt)}. It cannot be cancelled afterwards.</Text>
          <Text c="dimmed">
            Requested by <MemberName orgId={orgId} userId={deletion.requestedByUserId} /> on{' '}
            {formatInstant(deletion.requestedAt)}.
          </Text>
        </Stack>
      </Section>
    );
  }
  const close = () => {
    setIsAsking(false);
    if (token !== null) setSearch({}, { replace: true });
  };
  return (
    <>
      <DangerSection
        title="Delete organisation"
        description={sentence`Deletes ${summary.name} with all its data after ${DELETION_DELAY_DAYS} days. Owners can cancel until then.`}
        label="Delete organisation"
        onAct={() => setIsAsking(true)}
      />
      <DeleteOrganisationDialog
        name={summary.name}
        hasSubscription={summary.plan === 'grow'}
        token={token}
        isOpen={isAsking}
        onClose={close}
      />
    </>
  );
}
