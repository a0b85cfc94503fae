/** Decides what a call about a balance changes, and what it answers. */
import type { Balance } from '#contracts/public/balances';
import type { CustomerChange } from '#contracts/public/customers';
import {
  balancePrefix,
  changedBalance,
  describeBalance,
  ensureSameBalance,
  newBalance,
  takeableOf,
} from '#engine/access/balance-record';
import {
  findBalanceRow,
  findUsedUp,
  readUsedBalances,
} from '#worker/domains/customers/balances/balance-rows';
import { changeBalance, takeBack } from '#worker/domains/customers/balances/change-balance';
import { giveBalance } from '#worker/domains/customers/balances/give-balance';
import { namesOf } from '#worker/domains/customers/entries/resolve-alias';
import { conflicting, Refusal } from '#worker/http/api-error';
import type { CustomerScope } from '#worker/http/request-context';
import type { Decided } from './decided.ts';
import { findPropertyId, readSlugs } from './find-slugs.ts';
import { durableNameOf, type Target } from './find-target.ts';
import type { Provisioning } from './open-provisioning.ts';
import { ChangedByAnother } from './save-customer.ts';

type Of<Kind extends CustomerChange['change']> = Extract<CustomerChange, { readonly change: Kind }>;

const UNUSED = { used: 0, held: 0, lacksPlan: false };

/** @throws {ApiError} invalid-request and conflict, naming the change's fields */
export async function decideBalance(
  provisioning: Provisioning,
  target: Target,
  {
    balance: name,
    feature,
    property,
    change: _,
    customer: __,
    idempotencyKey: ___,
    ...terms
  }: Of<'set-balance'>,
): Promise<Decided> {
  const { ctx, scope, environmentId } = provisioning;
  const { now } = ctx;
  const named = { feature, property };
  const given = { ...terms, propertyId: await findPropertyId(provisioning, named) };
  const existing = await findBalanceRow(ctx, scope, { names: namesOf(target), environmentId, balance: name });
  if (existing === null) {
    const record = newBalance(given, { id: ctx.newId(balancePrefix(given)), name, kind: 'api' }, now);
    const usedUp = await findUsedUp(ctx, scope, environmentId, target);
    const place = { identifier: durableNameOf(target), environmentId };
    return {
      commit: (inScope) => giveBalance(ctx, inScope, place, record, { usedUp }),
      answer: { balance: describeBalance(record, UNUSED, named, now) },
    };
  }
  if (existing.environmentId === null) throw setForAll();
  ensureSameBalance(existing, given);
  const after = changedBalance(existing, terms, now);
  const used = await readUsedBalances(ctx, scope, environmentId, target);
  return {
    commit: after === existing ? null : raced((inScope) => changeBalance(ctx, inScope, existing, after)),
    answer: { balance: describeBalance(after, used(existing), named, now) },
  };
}

/** A commit that fails if somebody changed the balance since it was read. */
function raced(commit: (scope: CustomerScope) => Promise<boolean>): Decided['commit'] {
  return async (scope) => {
    if (!(await commit(scope))) throw new ChangedByAnother();
  };
}

const setForAll = () =>
  conflicting(
    'set-for-all-environments',
    'balance',
    'Was given for all environments. Change it in the console',
  );

/** @throws {ApiError} not-found, conflict, unavailable */
export async function decideTakeBack(
  provisioning: Provisioning,
  target: Target,
  { balance, amount, reason }: Of<'take-back'>,
): Promise<Decided> {
  const { ctx, scope, environmentId, loaded } = provisioning;
  const row = await findBalanceRow(ctx, scope, { names: namesOf(target), environmentId, balance });
  if (row === null) throw new Refusal('not-found', 'balance-unknown', 'The customer has no such balance');
  if (row.environmentId === null) throw setForAll();
  const [usedBalances, slugs] = await Promise.all([
    readUsedBalances(ctx, scope, environmentId, target),
    readSlugs({ ctx, scope, loaded }, [], [row]),
  ]);
  const used = usedBalances(row);
  const applied = takeableOf(row, used, amount);
  const after: Balance = describeBalance(
    { ...row, takenBack: row.takenBack + applied },
    used,
    slugs.propertyOf(row.propertyId),
    ctx.now,
  );
  const taken = { applied, used: used.used, reason };
  return {
    commit: applied === 0 ? null : raced((inScope) => takeBack(ctx, inScope, row, taken)),
    answer: { applied, balance: after },
  };
}
