/** To whom a mail that is due is sent. */
import { and, eq } from 'drizzle-orm';
import type { Db } from '#worker/db/database';
import { user } from '#worker/db/schema/auth';
import { outbox } from '#worker/db/schema/operations';
import { member, organization } from '#worker/db/schema/organisations';

export interface NoticeRecipient {
  readonly name: string;
  readonly email: string;
  readonly organisation: { readonly id: string; readonly name: string };
}

/** @returns undefined if the mail was sent already, or if they have left or are disabled */
export async function findRecipient(
  db: Db,
  due: { readonly outboxId: string; readonly orgId: string; readonly userId: string },
): Promise<NoticeRecipient | undefined> {
  const isMember = and(eq(member.userId, user.id), eq(member.organizationId, due.orgId));
  return db
    .select({
      name: user.name,
      email: user.email,
      organisation: { id: organization.id, name: organization.name },
    })
    .from(outbox)
    .innerJoin(user, and(eq(user.id, due.userId), eq(user.enabled, true)))
    .innerJoin(member, isMember)
    .innerJoin(organization, eq(organization.id, member.organizationId))
    .where(eq(outbox.id, due.outboxId))
    .get();
}
