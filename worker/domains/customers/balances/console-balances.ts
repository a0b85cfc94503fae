/** A customer's balances for the console: read, give, change and take back. */
import type { z } from 'zod';
import type {
  CustomerBalance,
  changeBalanceSchema,
  giveBalanceSchema,
  takeBackBalanceSchema,
} from '#contracts/console/customer-balances';
import {
  balancePrefix,
  changedBalance,
  judgeBalance,
  newBalance,
  takeableOf,
} from '#engine/access/balance-record';
import { namesOf, resolveAlias } from '#worker/domains/customers/entries/resolve-alias';
import { changedMeanwhile, notFound } from '#worker/http/api-error';
import type { CustomerScope, RequestContext, Scope } from '#worker/http/request-context';
import {
  type BalanceRow,
  findBalanceRow,
  findUsedUp,
  readBalanceRows,
  readUsedBalances,
} from './balance-rows.ts';
import { changeBalance, takeBack } from './change-balance.ts';
import { giveBalance } from './give-balance.ts';

/** @throws {ApiError} not-found without such an environment */
export async function listBalances(
  ctx: RequestContext,
  scope: Scope,
  identifier: string,
  environmentId: string,
  withClosed: boolean,
): Promise<CustomerBalance[]> {
  const resolved = await resolveAlias(ctx.db, scope, environmentId, identifier);
  const [rows, used] = await Promise.all([
    readBalanceRows(ctx, scope, { names: namesOf(resolved), environmentId, withClosed }),
    readUsedBalances(ctx, scope, environmentId, resolved),
  ]);
  return rows.map((row) => {
    const { customerIdentifier, orgId: _, livemode: __, paymentLine: ___, closedAt: ____, ...shown } = row;
    const { overagePaidAt: _____, ...rest } = shown;
    return { ...rest, identifier: customerIdentifier, ...judgeBalance(row, used(row), ctx.now) };
  });
}

/** @throws {ApiError} as giveBalance */
export async function giveByPerson(
  ctx: RequestContext,
  scope: CustomerScope,
  identifier: string,
  { environmentId, ...given }: z.output<typeof giveBalanceSchema>,
): Promise<{ readonly id: string }> {
  const id = ctx.newId(balancePrefix(given));
  const record = newBalance(given, { id, name: null, kind: 'manual' }, ctx.now);
  const usedUp =
    environmentId === null
      ? []
      : await findUsedUp(
          ctx,
          scope,
          environmentId,
          await resolveAlias(ctx.db, scope, environmentId, identifier),
        );
  await giveBalance(ctx, scope, { identifier, environmentId }, record, { usedUp });
  return { id };
}

/** @throws {ApiError} not-found; conflict if somebody changed it since it was read; invalid-request naming endsAt */
export async function changeByPerson(
  ctx: RequestContext,
  scope: CustomerScope,
  identifier: string,
  balanceId: string,
  { updatedAt, ...changes }: z.output<typeof changeBalanceSchema>,
): Promise<void> {
  const row = await getRow(ctx, scope, identifier, balanceId, updatedAt);
  const after = changedBalance(row, changes, ctx.now);
  if (after === row) return;
  if (!(await changeBalance(ctx, scope, row, after))) throw changedMeanwhile('The balance', null);
}

/** @throws {ApiError} as changeByPerson; unavailable if usage cannot be read */
export async function takeBackByPerson(
  ctx: RequestContext,
  scope: CustomerScope,
  identifier: string,
  balanceId: string,
  { updatedAt, environmentId, amount, reason }: z.output<typeof takeBackBalanceSchema>,
): Promise<{ readonly applied: number }> {
  const row = await getRow(ctx, scope, identifier, balanceId, updatedAt);
  const resolved = await resolveAlias(ctx.db, scope, environmentId, identifier);
  const taken = (await readUsedBalances(ctx, scope, environmentId, resolved))(row);
  const applied = takeableOf(row, taken, amount);
  if (applied > 0 && !(await takeBack(ctx, scope, row, { applied, used: taken.used, reason })))
    throw changedMeanwhile('The balance', null);
  return { applied };
}

/** @param updatedAt as the person saw it */
async function getRow(
  ctx: RequestContext,
  scope: Scope,
  identifier: string,
  balance: string,
  updatedAt: number,
): Promise<BalanceRow> {
  const row = await findBalanceRow(ctx, scope, { names: [identifier], environmentId: null, balance });
  if (row === null) throw notFound('The balance');
  if (row.updatedAt !== updatedAt) throw changedMeanwhile('The balance', null);
  return row;
}
