/** An account cannot be deleted while an organisation would be left without an owner. */
import { APIError } from 'better-auth/api';
import { sql } from 'drizzle-orm';
import type { Db } from '#worker/db/database';

/** @throws {APIError} 400, naming one such organisation */
export async function refuseSoleOwner(db: Db, userId: string): Promise<void> {
  const [orphan] = await db.all<{ name: string }>(
    sql`select organization.name from member join organization on organization.id = member.organization_id
      where member.user_id = ${userId} and member.role = 'owner' and not exists (
        select 1 from member as other
        where other.organization_id = member.organization_id and other.role = 'owner' and other.user_id <> ${userId}
      ) limit 1`,
  );
  if (orphan === undefined) return;
  throw new APIError('BAD_REQUEST', {
    code: 'SOLE_OWNER',
    message: `You are the only owner of ${orphan.name}. Make somebody else an owner first.`,
  });
}
