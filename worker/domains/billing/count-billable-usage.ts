/**
 * Fixes what an organisation is to be billed for an hour, in a row that is never changed: what its event stream has counted
 * beyond what is billed already. Late events are in the next hour's difference, and however often this is asked, no call is
 * in two rows.
 */
import { and, eq, gt, lt, sql } from 'drizzle-orm';
import { hourOf } from '#engine/usage/calendar';
import type { Db, Statement } from '#worker/db/database';
import { commit } from '#worker/db/database';
import { billableUsage, organisationBilling } from '#worker/db/schema/billing';
import { openEventStream } from '#worker/domains/events/open-event-stream';
import type { WorkContext } from '#worker/http/request-context';

export interface CountedUsage {
  readonly orgId: string;
  /** Start of the hour that it is billed for. */
  readonly hourAt: number;
  /** The instant that Stripe bills it at. */
  readonly usedAt: number;
  /** All API calls that the event stream has ever counted. */
  readonly calls: number;
  /** Usage ends with it: where the hour has its row it stands under the next free one, as no later difference holds it. */
  readonly isLast?: boolean;
}

const HOUR_MS = 3_600_000;

/** The statements that make the row and remember what is in it. Nothing where the hour has its row, or nothing is new. */
export function fixBillableUsage(
  { db, now }: Pick<WorkContext, 'db' | 'now'>,
  { orgId, hourAt, usedAt, calls, isLast = false }: CountedUsage,
): Statement[] {
  const freeHourAt = sql`(SELECT max(${hourAt}, ifnull(max(hour_at) + ${HOUR_MS}, 0)) FROM ${billableUsage} WHERE org_id = ${orgId})`;
  const isNew = sql`NOT EXISTS (SELECT 1 FROM ${billableUsage} WHERE org_id = ${orgId} AND hour_at = ${hourAt})`;
  return [
    db.insert(billableUsage).select(
      sql`SELECT ${orgId}, ${isLast ? freeHourAt : sql`${hourAt}`}, o.active_stripe_customer_id, ${calls} - b.billed_calls, ${usedAt}, ${now}, NULL, NULL, 0, ${now}, NULL
        FROM organisation_billing b JOIN organization o ON o.id = b.org_id
        WHERE b.org_id = ${orgId} AND b.counted_hour_at IS NOT NULL AND b.billed_calls < ${calls}
          AND o.active_stripe_customer_id IS NOT NULL AND ${isLast ? sql`1` : isNew}`,
    ),
    db
      .update(organisationBilling)
      .set({ billedCalls: calls })
      .where(and(eq(organisationBilling.orgId, orgId), sql`changes() > 0`)),
  ];
}

/**
 * @param hourAt, usedAt as of CountedUsage
 * @throws what the event stream or D1 fail with: nothing was fixed, and the next run counts the same
 */
export async function countBillableUsage(
  ctx: WorkContext,
  orgId: string,
  hourAt: number,
  usedAt: number,
): Promise<void> {
  const { db, now, log } = ctx;
  const billing = await findCounted(db, orgId);
  if (billing === undefined) return;
  const stream = await openEventStream(ctx, { orgId });
  const ever = await stream.callsEver();
  const isLost = ever < billing.billedCalls;
  if (isLost) log.error('an event stream has counted less than was billed', { orgId, ever, ...billing });
  await commit(db, [
    ...fixBillableUsage(ctx, { orgId, hourAt, usedAt, calls: ever }),
    db
      .update(organisationBilling)
      .set({ countedHourAt: hourOf(now) })
      .where(and(eq(organisationBilling.orgId, orgId), lt(organisationBilling.countedHourAt, hourOf(now)))),
    ...(isLost ? [startAnew(db, orgId, billing.billedCalls, ever)] : []),
  ]);
}

function findCounted(db: Db, orgId: string) {
  return db
    .select({ billedCalls: organisationBilling.billedCalls })
    .from(organisationBilling)
    .where(and(eq(organisationBilling.orgId, orgId), sql`${organisationBilling.countedHourAt} IS NOT NULL`))
    .get();
}

/** The stream began anew: its counter goes on from there. The row was read before the stream was asked, so it is no mix-up. */
function startAnew(db: Db, orgId: string, billedCalls: number, calls: number): Statement {
  return db
    .update(organisationBilling)
    .set({ billedCalls: calls })
    .where(
      and(
        eq(organisationBilling.orgId, orgId),
        eq(organisationBilling.billedCalls, billedCalls),
        gt(organisationBilling.billedCalls, calls),
      ),
    );
}
