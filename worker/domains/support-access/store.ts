/** Reads an organisation's support access: one row, which has the open request and the grant. */
import { eq } from 'drizzle-orm';
import type { SupportAccess } from '#contracts/console/support-access';
import type { Db } from '#worker/db/database';
import { supportAccess } from '#worker/db/schema/organisations';
import type { Scope } from '#worker/http/request-context';

/** @param now epoch milliseconds; an expired grant is none */
export async function getSupportAccess(db: Db, { orgId }: Scope, now: number): Promise<SupportAccess> {
  const [row] = await db.select().from(supportAccess).where(eq(supportAccess.organizationId, orgId));
  if (row === undefined) return { request: null, grant: null, needsConsentToRead: false };
  const { requestReason: reason, requestedAt, grantedAt, expiresAt, needsConsentToRead } = row;
  const isGranted = grantedAt !== null && expiresAt !== null && expiresAt > now;
  return {
    request: reason === null || requestedAt === null ? null : { reason, requestedAt },
    grant: isGranted ? { grantedAt, expiresAt } : null,
    needsConsentToRead,
  };
}
