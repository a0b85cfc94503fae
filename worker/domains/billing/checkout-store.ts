/** The checkout sessions that Tessera opened. A row is committed before its URL is given out. */
import { and, asc, eq, gt, isNull, lte, or } from 'drizzle-orm';
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

/** The session was applied, or can no longer be paid. */
export async function settleCheckout(
  { db, now }: Pick<WorkContext, 'db' | 'now'>,
  id: string,
): Promise<void> {
  await db
    .update(checkoutSession)
    .set({ settledAt: now })
    .where(and(eq(checkoutSession.id, id), isNull(checkoutSession.settledAt)));
}

/** An organisation's sessions that may still be paid, newest first. */
export async function listUnsettled(db: Db, orgId: string): Promise<string[]> {
  const rows = await db
    .select({ id: checkoutSession.id, openedAt: checkoutSession.openedAt })
    .from(checkoutSession)
    .where(and(eq(checkoutSession.orgId, orgId), isNull(checkoutSession.settledAt)));
  return rows.toSorted((one, other) => other.openedAt - one.openedAt).map(({ id }) => id);
}

/** Marks sessions of all organisations that are due to be read, and returns them. */
export async function takeDueCheckouts(
  { db, now }: Pick<WorkContext, 'db' | 'now'>,
  due: { readonly openedAfter: number; readonly openedBefore: number; readonly followedBefore: number },
  limit: number,
): Promise<string[]> {
  const { openedAt, followedAt, settledAt, id } = checkoutSession;
  const rows = await db
    .select({ id })
    .from(checkoutSession)
    .where(
      and(
        isNull(settledAt),
        gt(openedAt, due.openedAfter),
        lte(openedAt, due.openedBefore),
        or(isNull(followedAt), lte(followedAt, due.followedBefore)),
      ),
    )
    .orderBy(asc(followedAt))
    .limit(limit);
  const [first, ...rest] = rows.map((row) =>
    db.update(checkoutSession).set({ followedAt: now }).where(eq(id, row.id)),
  );
  if (first !== undefined) await db.batch([first, ...rest]);
  return rows.map((row) => row.id);
}
