/**
 * A customer's ledger of a meter: what was given, used, held, taken back and lost, newest first. It is put together from what is stored
 * already: balances, the audit log, and recorded calls. What has left D1 or the event stream for the archive is not listed.
 */
import { and, desc, eq, gte, inArray, lt, sql } from 'drizzle-orm';
import { LEDGER_LINES_PER_PAGE, type LedgerLine } from '#contracts/public/customer-ledger';
import { auditLog } from '#worker/db/schema/operations';
import {
  type BalanceRow,
  readBalanceRows,
  readUsedBalances,
  type UsedBalances,
} from '#worker/domains/customers/balances/balance-rows';
import { namesOf, type ResolvedCustomer } from '#worker/domains/customers/entries/resolve-alias';
import { readCountingCalls } from '#worker/domains/events/read-counting-calls';
import { Refusal, retryAfter } from '#worker/http/api-error';
import type { RequestContext, Scope } from '#worker/http/request-context';
import { usageLine } from './usage-line.ts';

export interface LedgerMeter {
  readonly propertyId: string;
  readonly feature: string;
  readonly property: string;
}

export interface LedgerPage {
  readonly lines: readonly LedgerLine[];
  readonly usageFrom: number | null;
  /** Where the next page ends, exclusively; null on the last one. */
  readonly nextTimeTo: number | null;
}

/** @param timeTo `nextTimeTo` of the page before; null: now @throws {ApiError} unavailable */
export async function readLedger(
  ctx: RequestContext,
  scope: Scope,
  environmentId: string,
  customer: ResolvedCustomer,
  { meter, timeTo }: { readonly meter: LedgerMeter; readonly timeTo: number | null },
): Promise<LedgerPage> {
  const names = namesOf(customer);
  const [calls, balances, used] = await Promise.all([
    readCountingCalls(ctx, scope, { environmentId, subjects: names, feature: meter.feature, timeTo }).catch(
      () => {
        throw new Refusal(
          'unavailable',
          'usage-unavailable',
          'The customer’s recorded calls could not be read',
          retryAfter(1),
        );
      },
    ),
    readBalanceRows(ctx, scope, {
      ...{ names, environmentId, withClosed: true, propertyIds: [meter.propertyId], limit: 2_000 },
    }),
    readUsedBalances(ctx, scope, environmentId, customer),
  ]);
  const [from, to] = [calls.nextQueryTimeTo ?? 0, timeTo ?? Number.POSITIVE_INFINITY];
  const isOnPage = ({ at }: LedgerLine) => at >= from && at < to;
  const changes = await readChanges(ctx, scope, { names, environmentId, meter, from, to });
  const others = [...balances.flatMap((row) => balanceLines(row, used, ctx.now)), ...changes]
    .filter(isOnPage)
    .sort(newestFirst);
  const usage = calls.events.flatMap((event) => usageLine(event, meter) ?? []);
  const lines = [...usage, ...others].sort(newestFirst);
  // Where more than a page changed beside usage, the page ends with the last of them that fits.
  const cut = others.length > LEDGER_LINES_PER_PAGE ? (others[LEDGER_LINES_PER_PAGE - 1]?.at ?? from) : from;
  return {
    lines: lines.filter(({ at }) => at >= cut),
    usageFrom: calls.eventsFrom,
    nextTimeTo: cut === 0 ? null : cut,
  };
}

const newestFirst = (one: LedgerLine, other: LedgerLine) => other.at - one.at;

/** Given, and ended with what was left. */
function balanceLines(row: BalanceRow, usedOf: UsedBalances, now: number): LedgerLine[] {
  const { id, name, amount, takenBack, createdAt, endsAt, costBasis, reason } = row;
  const balance = name ?? id;
  const given: LedgerLine = { at: createdAt, kind: 'given', amount, balance, endsAt, costBasis, reason };
  if (endsAt === null || endsAt > now) return [given];
  const { used, held } = usedOf(row);
  const lost = used === null ? null : Math.max(0, amount - takenBack - used - held);
  return lost === 0 ? [given] : [{ at: endsAt, kind: 'ended', amount: lost, balance }, given];
}

interface WantedChanges {
  readonly names: readonly string[];
  readonly environmentId: string;
  readonly meter: Pick<LedgerMeter, 'propertyId'>;
  readonly from: number;
  readonly to: number;
}

/** What was taken back, what paid overage, and corrections. One query per name: the index then has them in order. */
async function readChanges(
  { db }: Pick<RequestContext, 'db'>,
  { orgId }: Scope,
  { names, environmentId, meter: { propertyId }, from, to }: WantedChanges,
): Promise<LedgerLine[]> {
  const { at, action, detail, targetId } = auditLog;
  const rows = await Promise.all(
    names.map((name) =>
      db
        .select({ at, action, detail })
        .from(auditLog)
        .where(
          and(
            eq(auditLog.orgId, orgId),
            eq(targetId, name),
            inArray(sql`+${action}`, [
              'customer.balance-taken-back',
              'customer.balance-paid-overage',
              'customer.meter-corrected',
            ]),
            sql`${detail} ->> 'propertyId' = ${propertyId}`,
            sql`coalesce(${detail} ->> 'environmentId', ${environmentId}) = ${environmentId}`,
            gte(at, Math.floor(from)),
            Number.isFinite(to) ? lt(at, Math.ceil(to)) : undefined,
          ),
        )
        .orderBy(desc(at), desc(auditLog.id))
        .limit(LEDGER_LINES_PER_PAGE + 1),
    ),
  );
  return rows.flat().map((row): LedgerLine => {
    const { balanceId, name, applied, reason } = (row.detail ?? {}) as Record<string, unknown>;
    const shared = { at: row.at, amount: Number(applied), reason: String(reason) };
    if (row.action === 'customer.meter-corrected') return { ...shared, kind: 'corrected' };
    const balance = String(name ?? balanceId);
    if (row.action === 'customer.balance-taken-back') return { ...shared, kind: 'taken-back', balance };
    return { at: row.at, amount: Number(applied), kind: 'paid-overage', balance };
  });
}
