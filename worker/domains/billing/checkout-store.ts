/** The checkout sessions that Tessera opened. A row is committed before its URL is given out. */
import { eq } from 'drizzle-orm';
import type { Db, Statement } from '#worker/db/database';
import { checkoutSession } from '#worker/db/schema/billing';
import type { WorkContext } from '#worker/http/request-context';

/** No effect if the session is recorded already: concurrent callers open the same one. */
export function recordCheckout(
  { db, now }: Pick<WorkContext, 'db' | 'now'>,
  { id, orgId, expiresAt }: { readonly id: string; readonly orgId: string; readonly expiresAt: number },
): Statement {
  return db.insert(checkoutSession).values({ id, orgId, expiresAt, openedAt: now }).onConflictDoNothing();
}

/** Whether Tessera opened this session, for an organisation that still exists. */
export async function isOpenedCheckout(db: Db, id: string): Promise<boolean> {
  const row = await db
    .select({ id: checkoutSession.id })
    .from(checkoutSession)
    .where(eq(checkoutSession.id, id))
    .get();
  return row !== undefined;
}
