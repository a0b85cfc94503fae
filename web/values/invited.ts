/** Who invited somebody, and to what, in a sentence. */
import type { currentUserEndpoints } from '#contracts/console/organisations';
import type { AnswerOf } from '#contracts/public/endpoint';
import { sentence } from '#web/ui/format.ts';

export type Invited = AnswerOf<typeof currentUserEndpoints.invitation>;

const ROLES: Record<Invited['role'], string> = { owner: 'an owner', admin: 'an admin', member: 'a member' };

/** 'Ada Lovelace (ada@example.com) invited you to join Acme as an admin.' */
export function invitedText({ inviter, organisationName, role }: Invited): string {
  return inviter === null
    ? sentence`You are invited to join ${organisationName} as ${ROLES[role]}.`
    : sentence`${inviter.name} (${inviter.email}) invited you to join ${organisationName} as ${ROLES[role]}.`;
}
