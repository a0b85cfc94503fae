/** The labels of a team row, and the actions that the viewer may take on it. */
import type { TeamRow } from '#contracts/console/organisations';

export type TeamRole = TeamRow['role'];

export const ROLE_LABELS: Record<TeamRole, string> = {
  owner: 'Account Owner',
  admin: 'Admin',
  member: 'Member',
  sudo: 'Sudo',
};

/** What each assignable role may do. */
export const ROLE_DESCRIPTIONS: Record<Exclude<TeamRole, 'sudo'>, string> = {
  owner: 'Admin access, and manages owners.',
  admin: 'Member access, and manages the team, settings and billing.',
  member: 'Manages features, plans, customers, environments, integrations and keys.',
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

/** The signed-in user, as far as the team page is concerned. */
export interface Viewer {
  readonly userId: string;
  /** The viewer's own role. Null while unknown, and for viewers who are not members. */
  readonly role: TeamRole | null;
  /** Whether the viewer has the permission team-members:edit. */
  readonly canEdit: boolean;
}

export type TeamActionKind = 'change-role' | 'remove' | 'resend' | 'cancel' | 'clear';

export interface TeamAction {
  readonly kind: TeamActionKind;
  /** The reason why the action is disabled, or null. */
  readonly refusal: string | null;
}

const ONLY_OWNERS = 'Only owners can change owners.';

/** Whether the viewer may grant and revoke the owner role. */
export const isOwner = ({ role }: Viewer): boolean => role === 'owner' || role === 'sudo';

/** The row's actions. Viewers without edit permission get none, and nobody gets any on their own row. */
export function actionsOf(row: TeamRow, viewer: Viewer): readonly TeamAction[] {
  if (!viewer.canEdit || row.userId === viewer.userId) return [];
  const refusal = row.role === 'owner' && !isOwner(viewer) ? ONLY_OWNERS : null;
  return kindsOf(row).map((kind) => ({ kind, refusal }));
}

function kindsOf({ type, inviteStatus }: TeamRow): readonly TeamActionKind[] {
  if (type === 'member') return ['change-role', 'remove'];
  return inviteStatus === 'pending' ? ['resend', 'cancel'] : ['resend', 'clear'];
}
