/** The members of a customer, as its application calls them in entityId: what each has used, nearest to its limit first. */
import { Flex, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type CustomerMember,
  customerMemberEndpoints,
  MEMBERS_LISTED,
} from '#contracts/console/customer-members';
import { identifierSegment } from '#engine/identity/identifier-segment';
import { endpointQuery } from '#web/api/endpoint-query.ts';
import { useChange } from '#web/api/use-change.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { toast } from '#web/toast.ts';
import { ConfirmDialog } from '#web/ui/dialogs/confirm-dialog.tsx';
import { useLastValue } from '#web/ui/dialogs/use-last-value.ts';
import { formatNumber, sentence } from '#web/ui/format.ts';
import { Meter, MeterMark, meterLevel } from '#web/ui/labels/meter.tsx';
import { RemoveItem, RowMenu } from '#web/ui/lists/row-menu.tsx';
import { useFirstItems } from '#web/ui/lists/use-first-items.tsx';
import { Section } from '#web/ui/page/section.tsx';
import { ErrorState } from '#web/ui/states/error-state.tsx';
import { HeldFigure } from '#web/values/held-figure.tsx';
import { customerParams, WATCHED } from '../queries.ts';
import classes from './members-card.module.css';

const SKELETON_ROWS = ['one', 'two', 'three'];

const membersQuery = (orgId: string, identifier: string, environmentId: string) =>
  endpointQuery(
    customerMemberEndpoints.list,
    { ...customerParams(orgId, identifier), environmentId },
    WATCHED,
  );

const useDeleteMember = (orgId: string, identifier: string, environmentId: string) =>
  useChange(customerMemberEndpoints.remove, (id: string) => ({
    params: {
      ...{ ...customerParams(orgId, identifier), environmentId },
      entityId: decodeURIComponent(identifierSegment(id)),
    },
  }));

export interface MembersCardProps {
  readonly identifier: string;
  readonly environmentId: string;
}

export function MembersCard({ identifier, environmentId }: MembersCardProps) {
  const orgId = useOrgId();
  const { data, error, refetch } = useQuery(membersQuery(orgId, identifier, environmentId));
  const { shown, more } = useFirstItems(data?.members ?? []);
  const [deleted, setDeleted] = useState<string | null>(null);
  const name = useLastValue(deleted) ?? '';
  const remove = useDeleteMember(orgId, identifier, environmentId);
  return (
    <Section title="Members" description="Usage by entityId, closest to the limit first." isFlush>
      {data === undefined ? (
        error === null ? (
          <Stack gap={12} p="16px 20px" aria-busy="true">
            {SKELETON_ROWS.map((row) => (
              <Skeleton key={row} height={20} />
            ))}
          </Stack>
        ) : (
          <ErrorState title="The members could not be loaded" error={error} onRetry={refetch} />
        )
      ) : data.members.length === 0 ? (
        <p className="note">
          No members yet. Send an entityId when you count usage of a meter that a plan limits per member.
        </p>
      ) : (
        <>
          <ul className={classes.rows} aria-label="Members">
            {shown.map((member) => (
              <MemberRow key={member.id} member={member} onDelete={setDeleted} />
            ))}
          </ul>
          {more}
          {!data.isComplete && (
            <p className="note">
              Up to {formatNumber(MEMBERS_LISTED)} members are listed. The API lists all of them.
            </p>
          )}
          {!data.isWhole && <p className="note">Usage in a region that did not respond is missing.</p>}
        </>
      )}
      <ConfirmDialog
        isOpen={deleted !== null}
        onClose={() => setDeleted(null)}
        title={sentence`Delete the member ${name}?`}
        confirmLabel="Delete member"
        isBusy={remove.isPending}
        onConfirm={() => {
          if (deleted === null) return;
          remove.mutate(deleted, {
            onSuccess: () => toast.success('Member deleted', { description: deleted }),
            onSettled: () => setDeleted(null),
          });
        }}
      >
        Its own usage is deleted in all regions and starts at 0 if it is used again. What it used stays part
        of the customer’s usage. A seat stays until you release it.
      </ConfirmDialog>
    </Section>
  );
}

interface MemberRowProps {
  readonly member: CustomerMember;
  readonly onDelete: (id: string) => void;
}

function MemberRow({ member: { id, meters }, onDelete }: MemberRowProps) {
  return (
    <li className={classes.row}>
      <code className="small mono breaks">{id}</code>
      <Stack gap={8} className={classes.meters}>
        {meters.map(({ feature, property, used, held = 0, limit, remaining, hasSeat }) => (
          <Stack key={`${feature}.${property}`} gap={4}>
            <Flex wrap="wrap" align="baseline" gap="2px 10px" className="figures small">
              <code className="muted tiny breaks">{`${feature}.${property}`}</code>
              <span>
                <strong>{formatNumber(used)}</strong>
                {limit === null ? ' used' : ` of ${formatNumber(limit)} used`}
              </span>
              <HeldFigure held={held} until={undefined} />
              {remaining !== null && <span className="muted">{formatNumber(remaining)} left</span>}
              {hasSeat === false ? (
                <span className="limit-mark denied">No seat</span>
              ) : (
                limit !== null && <MeterMark level={meterLevel(used + held, limit)} />
              )}
            </Flex>
            {limit !== null && <Meter {...{ used, held, limit }} isThin />}
          </Stack>
        ))}
      </Stack>
      <RowMenu name={id}>
        <RemoveItem onClick={() => onDelete(id)}>Delete member…</RemoveItem>
      </RowMenu>
    </li>
  );
}
