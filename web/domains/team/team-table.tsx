/** The table of members and invitations, each with the actions that the viewer may take. */
import { useState } from 'react';
import type { TeamRow } from '#contracts/console/organisations';
import { roleSchema } from '#contracts/console/permissions';
import { useOrgId } from '#web/session/organisation.tsx';
import { formatDay, formatInstant, sentence } from '#web/ui/format.ts';
import { BreakableEmail } from '#web/ui/labels/breakable-email.tsx';
import { Hint } from '#web/ui/labels/hint.tsx';
import { ListTable } from '#web/ui/lists/list-table.tsx';
import { EndDialog } from './end-dialog.tsx';
import { useClearInvitation, useInviteMember } from './mutations.ts';
import { RoleDialog } from './role-dialog.tsx';
import classes from './team.module.css';
import { TeamRowMenu } from './team-row-menu.tsx';
import {
  actionsOf,
  isOwner,
  ROLE_LABELS,
  STATUS_LABELS,
  statusOf,
  type TeamActionKind,
  type Viewer,
} from './team-rows.ts';

export interface TeamTableProps {
  readonly organisationName: string;
  /** Undefined while loading. */
  readonly rows: readonly TeamRow[] | undefined;
  readonly viewer: Viewer;
}

/** The open dialog's subject. Kept after closing, so that the text stays while the dialog fades out. */
interface Asked {
  readonly row: TeamRow;
  readonly kind: Exclude<TeamActionKind, 'resend' | 'clear'>;
  readonly isOpen: boolean;
  readonly count: number;
}

export function TeamTable({ organisationName, rows, viewer }: TeamTableProps) {
  const orgId = useOrgId();
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked((before) => before && { ...before, isOpen: false });
  const invite = useInviteMember(orgId);
  const clear = useClearInvitation(orgId);
  const act = (row: TeamRow, kind: TeamActionKind) => {
    if (kind === 'clear') {
      clear.mutate(row.id);
      return;
    }
    if (kind !== 'resend') {
      setAsked((before) => ({ row, kind, isOpen: true, count: (before?.count ?? 0) + 1 }));
      return;
    }
    invite.mutate({ email: row.email, role: roleSchema.catch('member').parse(row.role), resend: true });
  };
  return (
    <>
      <ListTable
        label="Team"
        rows={rows}
        // By email: resending replaces the invitation, and a new id would close the row's open menu.
        rowKey={({ email }) => email}
        name={{
          header: 'User',
          cell: ({ email }) => email,
          shown: ({ email }) => <BreakableEmail email={email} />,
          detail: ({ name, userId }) => (userId === viewer.userId ? sentence`${name ?? ''} (you)` : name),
        }}
        columns={[
          { header: 'Status', cell: (row) => <StatusMark row={row} />, width: 120 },
          {
            header: 'Role',
            cell: ({ role }) => ROLE_LABELS[role],
            width: 124,
            isSecondary: true,
            isMinor: true,
          },
          { header: 'Joined On', cell: (row) => <JoinedOn row={row} />, width: 152, isSecondary: true },
        ]}
        {...(viewer.canEdit && {
          actions: (row: TeamRow) => (
            <TeamRowMenu
              name={row.email}
              actions={actionsOf(row, viewer)}
              onChoose={(kind) => act(row, kind)}
              isSending={invite.isPending}
            />
          ),
        })}
      />
      {asked?.kind === 'change-role' && (
        <RoleDialog
          key={asked.count}
          row={asked.row}
          isOpen={asked.isOpen}
          onClose={close}
          canMakeOwners={isOwner(viewer)}
        />
      )}
      {asked && asked.kind !== 'change-role' && (
        <EndDialog
          key={asked.count}
          organisationName={organisationName}
          row={currentRow(rows, asked.row)}
          isOpen={asked.isOpen}
          onClose={close}
        />
      )}
    </>
  );
}

/** The row as of the last refetch: a resent invitation has another id. */
const currentRow = (rows: readonly TeamRow[] | undefined, row: TeamRow): TeamRow =>
  rows?.find(({ type, email }) => type === row.type && email === row.email) ?? row;

function StatusMark({ row }: { row: TeamRow }) {
  const status = statusOf(row);
  return (
    <>
      <span className={`inline-row muted nowrap gap-8 ${classes.status}`} data-status={status}>
        <span className={classes.tile} aria-hidden />
        {STATUS_LABELS[status]}
      </span>
      {/* Where the role column has no room. */}
      <span className={classes.role}>{ROLE_LABELS[row.role]}</span>
    </>
  );
}

function JoinedOn({ row }: { row: TeamRow }) {
  if (row.memberCreatedAt === null) {
    return <span className="muted">{`${STATUS_LABELS[statusOf(row)]} Invitation`}</span>;
  }
  return (
    <Hint label={formatInstant(row.memberCreatedAt)}>
      <time dateTime={new Date(row.memberCreatedAt).toISOString()}>{formatDay(row.memberCreatedAt)}</time>
    </Hint>
  );
}
