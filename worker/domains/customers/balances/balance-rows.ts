/** The stored balances of a customer in an environment, and what is used of them. */
import { and, desc, eq, inArray, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import { type BalanceRecord, type Taken, takenOfBalance } from '#engine/access/balance-record';
import { DAY_MS } from '#engine/durations';
import { factsForAll } from '#engine/entitlements/facts-for-entity';
import { customerBalance, isUnclosed, NO_END } from '#worker/db/schema/customers';
import { type InspectContext, inspectCustomer } from '#worker/domains/access/inspect-customer';
import { namesOf, type ResolvedCustomer } from '#worker/domains/customers/entries/resolve-alias';
import type { RequestContext, Scope } from '#worker/http/request-context';

type StoredBalance = typeof customerBalance.$inferSelect;

/** As stored, with null for no end. */
export type BalanceRow = Omit<StoredBalance, 'endsAt'> & BalanceRecord;

interface Wanted {
  /** The customer's names: what balances can be stored under. */
  readonly names: readonly string[];
  readonly environmentId: string;
  /** Also those that are used up or have ended. */
  readonly withClosed?: boolean;
  /** Null: of any property. */
  readonly propertyIds?: readonly string[] | null;
  /** The `createdAt` and id of the last one of the page before. */
  readonly after?: { readonly createdAt: number; readonly id: string } | undefined;
  readonly limit?: number;
}

/** Newest first. Those of all environments, too. */
export async function readBalanceRows(
  { db, now }: Pick<RequestContext, 'db' | 'now'>,
  { orgId }: Scope,
  { names, environmentId, withClosed = false, propertyIds = null, after, limit = 1_000 }: Wanted,
): Promise<BalanceRow[]> {
  const { createdAt, id, endsAt, closedAt } = customerBalance;
  const isOpen = and(isUnclosed(closedAt), sql`${endsAt} > ${now}`);
  const isBefore = (last: NonNullable<Wanted['after']>): SQL | undefined =>
    or(lt(createdAt, last.createdAt), and(eq(createdAt, last.createdAt), lt(id, last.id)));
  const rows = await db
    .select()
    .from(customerBalance)
    .where(
      and(
        eq(customerBalance.orgId, orgId),
        inArray(customerBalance.customerIdentifier, [...names]),
        or(isNull(customerBalance.environmentId), eq(customerBalance.environmentId, environmentId)),
        withClosed ? undefined : isOpen,
        propertyIds === null ? undefined : inArray(customerBalance.propertyId, [...propertyIds]),
        after === undefined ? undefined : isBefore(after),
      ),
    )
    .orderBy(desc(createdAt), desc(id))
    .limit(limit);
  return rows.map(asBalance);
}

export function asBalance({ endsAt, ...row }: StoredBalance): BalanceRow {
  return { ...row, endsAt: endsAt === NO_END ? null : endsAt };
}

export type UsedBalances = (balance: BalanceRow) => Taken & {
  /** It is left out because the customer lacks a plan. */
  readonly lacksPlan: boolean;
  /** Whether the deployed version has the property. */
  readonly isDeployed: boolean;
};

/**
 * What is used of a customer's balances: unknown if no ledger answered or the deployed version does not have the property.
 * @throws {ApiError} not-found without such an environment
 */
export async function readUsedBalances(
  ctx: InspectContext,
  scope: Scope,
  environmentId: string,
  { customer, facts }: ResolvedCustomer,
): Promise<UsedBalances> {
  const environment = { environmentId, identifier: customer, customer, facts: factsForAll(facts) };
  const { resolution, usage } = await inspectCustomer(ctx, scope, environment);
  const readings = usage === null || usage.location === null ? undefined : usage.readings;
  return ({ id, propertyId, needsPlan }) => {
    const entry = resolution?.prepared.propertyById.get(propertyId);
    const own = entry === undefined ? undefined : resolution?.balances?.get(entry.index);
    return {
      ...takenOfBalance({ id }, readings?.get(propertyId)),
      lacksPlan: needsPlan && own?.some((balance) => balance.id === id) !== true,
      isDeployed: entry !== undefined,
    };
  };
}

/** With fewer open balances, none is looked for that could be closed. */
const MANY = 20;

/**
 * Balances of an environment of which nothing has been left for a while: they need no longer be open, so that a customer who buys every
 * day does not carry all that it ever bought. Usage of the last day can still be given back to the newest.
 */
export async function findUsedUp(
  ctx: RequestContext,
  scope: Scope,
  environmentId: string,
  customer: ResolvedCustomer,
): Promise<string[]> {
  const open = await readBalanceRows(ctx, scope, { names: namesOf(customer), environmentId });
  if (open.length < MANY) return [];
  const used = await readUsedBalances(ctx, scope, environmentId, customer);
  return open
    .filter((row) => row.environmentId !== null && row.createdAt < ctx.now - DAY_MS)
    .filter((row) => (used(row).used ?? 0) >= row.amount - row.takenBack)
    .map(({ id }) => id);
}

/** By the application's own id or Tessera's. @param environmentId null: of any environment */
export async function findBalanceRow(
  { db }: Pick<RequestContext, 'db'>,
  { orgId }: Scope,
  {
    names,
    environmentId,
    balance,
  }: Pick<Wanted, 'names'> & { readonly environmentId: string | null; readonly balance: string },
): Promise<BalanceRow | null> {
  const [row] = await db
    .select()
    .from(customerBalance)
    .where(
      and(
        eq(customerBalance.orgId, orgId),
        inArray(customerBalance.customerIdentifier, [...names]),
        environmentId === null
          ? undefined
          : or(isNull(customerBalance.environmentId), eq(customerBalance.environmentId, environmentId)),
        or(eq(customerBalance.name, balance), eq(customerBalance.id, balance)),
      ),
    )
    // The environment's own comes first.
    .orderBy(desc(customerBalance.environmentId))
    .limit(1);
  return row === undefined ? null : asBalance(row);
}
