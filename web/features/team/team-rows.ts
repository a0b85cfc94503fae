/** How a row of the team reads, and what the viewer may do with it (specification, domain screens, sections 2 and 4). */
import type { TeamRow } from '#contracts/organisations';

export type TeamRole = TeamRow['role'];

export const ROLE_LABELS: Record<TeamRole, string> = {
  owner: 'Account Owner',
  admin: 'Admin',
  member: 'Member',
  sudo: 'Sudo',
};

/** What each role that can be given may do. */
export const ROLE_DESCRIPTIONS: Record<Exclude<TeamRole, 'sudo'>, string> = {
  owner: 'Everything an admin may, and decides who else is an owner.',
  admin: 'Everything a member may, and looks after the team and the settings.',
  member: 'Works on features, plans, environments, versions and keys.',
};

export type TeamStatus = NonNullable<TeamRow['inviteStatus']> | 'active';

export const STATUS_LABELS: Record<TeamStatus, string> = {
  active: 'Active',
  pending: 'Pending',
  canceled: 'Cancelled',
  rejected: 'Rejected',
  expired: 'Expired',
};

export const statusOf = (row: TeamRow): TeamStatus => row.inviteStatus ?? 'active';

/** Who looks at the team. */
export interface Viewer {
  readonly userId: string;
  /** Null: not (or not yet) known to belong to it. */
  readonly role: TeamRole | null;
  /** Permission team-members:edit. */
  readonly canEdit: boolean;
}

export type TeamActionKind = 'change-role' | 'remove' | 'resend' | 'cancel';

export interface TeamAction {
  readonly kind: TeamActionKind;
  /** Why this viewer may not; null where they may. */
  readonly refusal: string | null;
}

const ONLY_OWNERS = 'Only an owner may change owners.';

/** Makes and unmakes owners. */
export const isOwner = ({ role }: Viewer): boolean => role === 'owner' || role === 'sudo';

/** What the row's menu offers: nothing to whoever may not edit the team, and nothing on one's own row. */
export function actionsOf(row: TeamRow, viewer: Viewer): readonly TeamAction[] {
  if (!viewer.canEdit || row.userId === viewer.userId) return [];
  const refusal = row.role === 'owner' && !isOwner(viewer) ? ONLY_OWNERS : null;
  return kindsOf(row).map((kind) => ({ kind, refusal }));
}

function kindsOf({ type, inviteStatus }: TeamRow): readonly TeamActionKind[] {
  if (type === 'member') return ['change-role', 'remove'];
  return inviteStatus === 'pending' ? ['resend', 'cancel'] : ['resend'];
}
